"""Random numbers, bit for bit the same as from PyTorch's CPU generator."""
