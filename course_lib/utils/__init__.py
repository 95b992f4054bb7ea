"""`torch.utils`: what stands beside the library proper."""
