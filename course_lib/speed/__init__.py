"""What is only faster: it may be left out without any change of behaviour (`forms/switch.py`)."""
