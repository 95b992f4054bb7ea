"""Matrices: products, norms, solving, decompositions."""
