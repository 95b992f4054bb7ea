"""Matrices: products, norms, inverses, decompositions."""
