"""One result per element: arithmetic, powers, comparisons, activations."""
