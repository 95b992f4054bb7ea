"""A tensor seen from outside: as a Python number, NumPy array, storage, text, pickle."""
