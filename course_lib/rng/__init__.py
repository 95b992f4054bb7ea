"""Random numbers, bit for bit those of PyTorch; `manual_seed` is in `ops/make/generator.py`."""
