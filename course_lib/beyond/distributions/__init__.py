"""`torch.distributions`: random variables, with samples, densities and divergences.

A distribution is ordinary Python on tensors.  Gradients come from the operations it uses, and
samples from the same random numbers as PyTorch's.
"""
