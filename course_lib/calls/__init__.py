"""Arguments: how a call is bound to parameters, and what PyTorch says when it does not fit."""
