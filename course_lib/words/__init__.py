"""What a student reads: PyTorch's messages, the course's notes, printed tensors, tracebacks."""
