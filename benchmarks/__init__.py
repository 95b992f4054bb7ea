"""How fast `course_lib` is, beside PyTorch, three other libraries and NumPy written by hand.

Ratios count, seconds do not:

    python -m benchmarks                            everything, some minutes
    python -m benchmarks --quick                    most of it, in a minute or two
    python -m benchmarks --only cnn repr-small      some workloads
    python -m benchmarks --python torch=PATH        which Python has a library

The parts:

    workload.py     what is measured, and what is to be reached
    chains.py …     the workloads, written for each library as its users would
    libraries.py    the libraries, and where they are installed
    worker.py       the process that runs a workload with one library
    rounds.py       asks the workers in turn, compares results, takes medians of ratios
    startup.py      rows whose every measurement is a process of its own: imports
    growth.py       what may grow; exponents.py measures it and fits
    complete.py     the programs in programs/, which stand as their authors would write them
    pictures.py     what a notebook waits for; drawn.py draws models, with other tools too
    run.py          all of it, one after the other
    table.py        what the reader sees; page.py writes docs/speed.md
    grading.py      a program of its own: notebooks graded, beside pytest with nbval
"""
