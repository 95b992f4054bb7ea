"""What the course hardly runs: it completes PyTorch's names.

Same mechanism and same tests as the rest.  Nothing imports these files but the tables of names
(`homes.py`), which read them when a program first uses them."""
