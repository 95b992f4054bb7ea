"""Small calls of every operation that has a gradient, for the tests of formulas.

`x` and `y` have shape (2, 3), `m` and `n` (3, 3), `v` (3,), `s` none; all elements are different
and between 0.2 and 0.9.  `z` is complex, `i` an index.  Elementwise operations of one and of two
operands are not listed: their calls are made from the table of operations.
"""

# Those whose domain, or whose arguments, are not what the table says.
SPECIAL = {
    "rounded_div": "x.div(y, rounding_mode='floor')",
}

CALLS = """
x.mode(1).values   x.clone()   x.t().contiguous()   x.view(3, 2)   x.reshape(-1)   x.t().reshape(-1)
x.t()[0].reshape(1, -1)   m @ n   m @ v   v.dot(m[0])   m[None] @ n[None]
torch.bmm(m[None], n[None])   x.transpose(0, 1)   x.t()   x.permute(1, 0)   x.view_as(x)
x[None].squeeze()   x[None].squeeze(0)   x[None].squeeze((0, 1))   x.unsqueeze(1)
x.expand(2, 2, 3)   x.double()   x.to(torch.float64, copy=True)   x.round()
torch.movedim(s, (), ())   x.abs()   x.sign()   x.sgn()   x.neg()   z.real   z.imag   z.abs()
z.conj() * z   z.sgn()   x.norm()   x.norm(1)   x.norm(3, 0)
torch.linalg.vector_norm(x, 0.5)   x.norm(1.5)   x.norm(float('inf'))
torch.cdist(x, y)   torch.addmm(m, m, n)   attended(m[None], m[None], n[None])   m.inverse()
torch.linalg.cross(x, y)   torch.linalg.eigh(m + m.t()).eigenvalues
torch.linalg.svd(x, False).S   x[i]   x[:, i]   x[0]
x[..., 1]   x[:, ::2]   x[x > 0.5]   x.index_put((i,), y[i])   x.index_put((i,), y[i], True)   2 - x
torch.add(x, y, alpha=2)   torch.sub(x, y, alpha=2)   x + 1   x - 1   x * 3   x / 3   3 / x   x ** 2
x ** 3   x ** 0.5   x ** y   2 ** x   x.remainder(y)
x.clamp(0.3, 0.6)   x.clamp(min=y)   x.clamp(y - 0.2, y + 0.2)   x.relu()
x.narrow(1, 0, 2)   m.diagonal()   m.diagonal(1)   v.unfold(0, 2, 1)   x.as_strided((2, 2), (1, 2))
torch.view_as_real(z)   torch.view_as_complex(x[:, :2].contiguous())   m.tril()   m.triu()
x.scatter_add(0, j, y)   x.gather(0, j)   x.index_select(0, i)   x.index_add(0, i, y)
x.index_fill(0, i[:1], 2.)   torch.cat([x, y])   torch.stack([x, y], 1)   x.unbind()[1]
x.split(1, 1)[2]   x.split([1, 2], 1)[1]   x.chunk(2, 1)[0]   torch.unsafe_split(x, 1)[1]
torch.where(x > y, x, y)   x.masked_fill(x > 0.5, s)   x.masked_fill(x > 0.5, 2.)   x.max()
x.max(0).values   x.min()   x.min(0).values   x.amax()   x.amax(1)   x.amin(0)   x.repeat(2, 1)
x.roll(1, 0)   x.flip(0)   x.movedim(0, 1)   x.sum()   x.sum(0)   x.sum((0, 1), keepdim=True)
x.mean()   x.mean(1)   x.prod()   x.prod(0)   (x * (x > 0.4)).prod(0)   x.cumsum(0)
x.sort(1).values   x.topk(2).values   x.logsumexp(1)   x.var()   x.var(0)   x.std(1)
x.std(1, correction=0)   x.diff()   torch.einsum('ij,kj', x, y)   x.softmax(1)   x.log_softmax(0)
safe_softmax(x, 1)   F.elu(x - 0.5)   F.gelu(x)   F.gelu(x, approximate='tanh')
F.leaky_relu(x - 0.5)   F.logsigmoid(x)   F.silu(x)   F.normalize(x)   F.softplus(x)
F.mse_loss(x, y)   F.binary_cross_entropy(x, y)   F.binary_cross_entropy_with_logits(x, y)
F.nll_loss(x, i)   F.nll_loss(x[None, :, :, None], j[:1, :, None])   F.pad(x, (1, 0), value=0.5)
F.conv1d(m[None], n[:, :, None])   F.conv2d(m[None, None], n[None, None, :2, :2], v[:1])
F.conv_transpose2d(m[None, None], n[None, None, :2, :2])   F.embedding(i, m)
F.max_pool2d(m[None, None], 2, 1)   F.avg_pool2d(m[None, None], 2, 1)
F.adaptive_avg_pool2d(m[None, None], 2)   F.layer_norm(x, (3,), v, v + 1)
F.group_norm(m[None], 3, v, v + 1)   F.batch_norm(m, None, None, v, v + 1, True)
F.batch_norm(m, torch.zeros(3).double(), torch.ones(3).double(), v, v)
F.scaled_dot_product_attention(m[None, None], n[None, None], m[None, None])
F.cross_entropy(m, n, label_smoothing=0.1)   F.leaky_relu(x - 0.5, 0.2, True)
F.elu(x + 0, inplace=True)   packed(m, [3, 2], False)   packed(m, [3, 2], True)
F.interpolate(m[None], 5)   F.interpolate(m[None, None], 5)
F.interpolate(m[None, None], 5, mode='bilinear')   F.linear(v, v, s)
lstm(torch.stack([m, n]), torch.cat([m, n, m, n]), torch.cat([n, m, n, n]), v.repeat(4), v, m, n)
torch.cdist(x.repeat(14, 1), y)   F.elu(x - 0.5, 1., True)   F.relu6(x * 8)
"""

# Whose gradient PyTorch cannot differentiate, or we cannot.
ONCE = ("F.scaled_dot_product_attention", "torch.linalg.eigh", "torch.linalg.svd")

# Operations with a formula that no call above may reach, and why that is right.
UNREACHED = {
    "_uniform _normal _random_between _random_below _random_any _bernoulli_number "
    "_exponential _bernoulli _normal_mean _normal_std _normal_mean_std": "draws random "
    "numbers: the gradient is zero",
    "_unique2": "PyTorch has no gradient for it, only a node",
    "floor_divide flash_back": "PyTorch refuses to differentiate it",
    "linalg_lstsq": "we refuse to differentiate it",
    "linalg_vector_norm": "another name for an operation that is called",
    "_read_again at_largest rows_taken": "part of a first derivative's derivative: "
    "its own formula is a third one",
}
