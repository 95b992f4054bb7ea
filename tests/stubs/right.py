"""A program that a type checker accepts; never run (see tests/test_stubs.py)."""

from typing import assert_type

import course_lib as torch

x = torch.ones(2, 3, requires_grad=True)
y = torch.zeros((2, 3), dtype=torch.float64, device="cpu")
assert_type(x, torch.Tensor)
assert_type(torch.add(x, 1, alpha=2), torch.Tensor)
assert_type((x * 2 + y).sum(dim=1, keepdim=True).sqrt_(), torch.Tensor)
assert_type(2 / x - 1.5**-x, torch.Tensor)
assert_type(x == y, torch.Tensor)
assert_type(x[0, ..., None, 1:], torch.Tensor)
assert_type(x.view(-1).reshape((3, 2)).permute(1, 0).T, torch.Tensor)
assert_type(x.shape, torch.Size)
assert_type(x.size(0), int)
assert_type(x.dtype, torch.dtype)
assert_type(x.is_leaf, bool)
assert_type(x.grad, torch.Tensor | None)
assert_type(torch.is_tensor(x), bool)
assert_type(torch.max(x), torch.Tensor)
assert_type(x.max(0).indices, torch.Tensor)
values, indices = torch.sort(x, descending=True)
assert_type(values, torch.Tensor)
assert_type(torch.linalg.svd(x).S, torch.Tensor)
assert_type(torch.linalg.norm(x, dim=(0, 1)), torch.Tensor)
for part in x.split(1):
    assert_type(part, torch.Tensor)
for row in x:
    assert_type(row, torch.Tensor)
x.requires_grad = False
x.grad = None
x[0] = 1
x += y
x.sum().backward(retain_graph=True)
with torch.no_grad():
    torch.clamp(x, 0, out=y)
print(f"{x:.2f}", float(x.sum()), len(x), bool(x.any()), x.to(torch.int64).float().tolist())
