"""The forms an operation comes in: function, method, operator, in place, `out=`, view.

`core/op.py` says what happens when an operation is called; everything here follows from a
declaration, so that one declaration gives all forms.
"""
