"""What layers and losses of a network compute."""
