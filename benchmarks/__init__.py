"""How fast `course_lib` is, beside PyTorch, three other libraries and NumPy written by hand.

python -m benchmarks                            everything, some minutes
python -m benchmarks --quick                    the same in fewer rounds, under a minute
python -m benchmarks --only cnn repr-small      some workloads
python -m benchmarks --python torch=PATH        which Python has a library

workload.py     what is measured, and what is to be reached
chains.py …     the workloads, written for each library as its users would
libraries.py    the libraries, and where they are installed
worker.py       the process that runs one workload with one library
rounds.py       asks the workers in turn, compares results, takes medians of ratios
growth.py       time and memory against size, and the fitted exponent
table.py        what the reader sees; page.py writes docs/speed.md
"""
