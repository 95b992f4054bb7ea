"""What the words of a picture say: programs that end in a picture, and what stands in its text."""

import pytest
from programs import picture_after, programs

# A word behind "!" is one that is not said; one behind "alt: " or "svg: " stands there.
SAID = r"""
# axes: where each dimension was
x = torch.zeros(2, 3)
y = x.t().unsqueeze(0)
draw_axes(x, y, labels=['row', 'column'])
> x  shape (2, 3), stride (3, 1), offset 0\n    dimension 0: row, size 2, stride 3
> offset 0\n    dimension 0: new, size 1, stride 3
> \n    dimension 1: column, size 3, stride 1, was dimension 1 of x
> \nx and y look at one storage: no number was moved.
> svg: >new</text>
# axes: a part of a dimension is still that dimension
x = torch.zeros(2, 5)
draw_axes(x, x.narrow(1, 1, 2), names={'x': x})
> B has size 2 in x.narrow(1, 1, 2), 5 in x.
# axes: a copy is followed by nothing
x = torch.zeros(2, 5)
y = x.t().contiguous()
draw_axes(x, y)
> y has a storage of its own: the numbers were copied.
> !was dimension
> !one storage
# axes: letters and numbers
draw_axes(torch.zeros([1] * 30))
> A1
# backward: a gradient can be given
y = x * x
draw_backward(y, torch.tensor([1.0, 10.0]))
> 1. MulBackward0 receives [1., 10.]
# backward: a hook of a function
x = torch.tensor([3.0, 1.0], requires_grad=True)
y = x.exp()
y.grad_fn.register_hook(lambda out, given: (out[0] * 0,))
draw_backward(y.sum())
> a hook of ExpBackward0 turns [20.09, 2.718] into [0., 0.]
# backward: broadcasting is no hook
draw_backward((torch.ones(3, 2) * x + x).sum())
> !hook
> summed over what broadcasting had repeated
# backward: a freed graph
y = x * x
y.sum().backward()
draw_backward(y, torch.ones(2))
> Here it stops: Trying to backward through the graph a second time
# backward: an output of several elements
draw_backward(x * 2)
> Give a gradient of its shape: draw_backward(y, gradient).
# boundary: classes, mistakes and the plane
corners = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
draw_boundary(lambda p: p[:, 0] - 0.5, corners, torch.tensor([0, 1, 1, 1]))
> Decision boundary: 3 of 4 points get their own class\nclass 0: 1 point, 0 of them wrong
> \nclass 1: 3 points, 1 of them wrong\nwrong: (0., 1.) is 1, gets 0\n
> \n000000000000000001111111111111111
> alt: class 0 fills 50 % of the plane; class 1 fills 50 % of the plane.
# broadcast: sizes stand below each other
column, row = torch.tensor([[1], [2]]), torch.tensor([10, 20, 30])
draw_broadcast(column, row)
> \ndimension         0         1\ncolumn            2    1 -> 3
> \nrow        new -> 2         3\nresult            2         3
# broadcast: where it fails
draw_broadcast(torch.zeros(2, 3), torch.zeros(4, 2, 2))
> dimension       0       1       2\na               -       2       3
> b               4       2       2\n                           ^ here
> Dimension 2: 3 and 2 differ, and neither is 1.\nPyTorch says: The size of tensor a (3) must
> svg: here it fails
# broadcast: the strides of a view are kept
turned = torch.tensor([[1, 2, 3], [4, 5, 6]]).t()
draw_broadcast(turned, (4, 1, 1))
> turned as (4, 3, 2), stride (0, 1, 3)
# broadcast: a number fits everything
draw_broadcast(torch.tensor([1, 2]), 2.5)
> 2.5: dimension 0 is missing
# broadcast: no dimensions
draw_broadcast(torch.tensor(1.0), 2.5)
> nothing is stretched
# broadcast: bare shapes have indices and no result
draw_broadcast((2, 1), (3,))
> [1, 0]
> indices of cells
> !a + b
# broadcast: a bare shape on one side
draw_broadcast(torch.ones(2, 1), (3,))
> !a + b
# broadcast: a corner of a large result
draw_broadcast((9, 1, 50), (50, 1))
> Only a corner is shown.
# broadcast: a huge result takes no memory
draw_broadcast((100000, 1), (1, 100000))
> to (100000, 100000)
# broadcast: of a large result only the corner is computed
long = torch.arange(4000)
draw_broadcast(long.unsqueeze(1), long)
> to (4000, 4000)
>      3   4   5   6   7   8
# broadcast: one name twice
x = torch.tensor([1, 2])
draw_broadcast(x, x)
> x (a) (2,) and x (b) (2,) broadcast to (2,)
# broadcast: a result that is refused is not drawn
yes = torch.tensor([[True], [False]])
draw_broadcast(yes, yes, op='-')
> !yes - yes
# broadcast: three are fitted to each other
column, row = torch.tensor([[1], [2]]), torch.tensor([10, 20])
corner = torch.tensor([[[100]]])
draw_broadcast(column, row, corner)
> column (2, 1), row (2,) and corner (1, 1, 1) broadcast to (1, 2, 2)
> corner as (1, 2, 2), stride (
>     112   122
# broadcast: three that do not fit
draw_broadcast((4, 1), (3,), (2,))
> 3 and 2 differ
# broadcast: tensors without values
draw_broadcast(torch.zeros(2, 1, device='meta'), (3,))
> [1, 0]
# devices: a tensor too large for any memory
draw_devices(torch.empty(100_000, 100_000, device='meta'))
> no bytes: ? ? ? ? ? ? ...
# devices: tracked views and empty tensors
w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
turned, none = w.t(), torch.zeros(0)
draw_devices(turned, none)
> turned  shape (2, 2), float32, 16 bytes: 1. 3. 2. 4.
> none  shape (0,), float32, 0 bytes:
# difference: a write in place is an added function and a stale tensor
def program(write):
    y = x.exp()
    loss = y.sum()
    write and y.mul_(2)
    return loss
draw_difference(program(False), program(True))
> overwritten
# difference: one side may have no graph
y = x.exp()
draw_difference(y, x.exp().detach())
> after has no graph.
# difference: an empty tensor has a graph too
x = torch.tensor([], requires_grad=True)
draw_difference(x.sum(), x.exp().sum())
> 1 is added: ExpBackward0.
# errors: the lowest point
draw_errors({'float64': {0.1: 1e-3, 0.01: 1e-5, 0.001: 1e-4}})
> float64: smallest error 1e-05 at eps 0.01
> alt: right of it the length of the step.
# errors: no V where there is none
draw_errors({'float64': {0.1: 1e-3, 0.01: 1e-5}})
> !rounding
# errors: zero
draw_errors({'float64': {0.1: 1e-3, 0.01: 0.0}})
> smallest error 0. at eps 0.01
> svg: lower edge
# descent: a long path is thinned
draw_descent(lambda w: w * w, [1 / k for k in range(1, 101)])
> 24 of 100 points are told.
# descent: a path that flies away
draw_descent(lambda w, b: w + b, [(1.0, 1.0), (1e30, np.inf), (np.nan, np.nan)])
> the loss goes from 2. to nan
# gradient sizes: only zeros
x = torch.tensor([0.0], requires_grad=True)
draw_gradient_sizes((x * 0).sum())
> 1 leaf gets only zeros
# gradient sizes: nan
x = torch.tensor([0.0], requires_grad=True)
draw_gradient_sizes((x.sqrt() * 0).sum())
> 1 of 1 leaves get nan or inf
# gradient sizes: an output of many numbers starts with ones
draw_gradient_sizes(x * 2)
> Backward starts with ones of shape (2,)
# gradient sizes: or with what is given
draw_gradient_sizes(x * 2, torch.tensor([10.0, 10.0]))
> gradient 20.
# gradient sizes: an empty tensor
x = torch.tensor([], requires_grad=True)
draw_gradient_sizes((x * 2).sum())
> zero
# descent: a table of the path
u, v = torch.tensor([-1.0, 0.0, 2.0]), torch.tensor([-2.0, 1.0, 7.0])
path = [(torch.tensor(0.0), torch.tensor(0.0)), (torch.tensor(2.0), torch.tensor(0.5))]
draw_descent(lambda w, b: ((w * u + b - v) ** 2).mean(), path)
> Descent: 1 step, the loss goes from 18. to 2.25\nstep  w   b loss\n   0 0.  0.  18.\n   1 2. 0.5
# decisions: an end with two verdicts has two boxes
draw_decisions({'How?': {'so': {'a': 'right', 'b': 'wrong', 'c': 'right'}}})
> \n    so: right\n        a\n        c\n    so: wrong\n        b
# devices: one has no ways
x, n = torch.tensor([1, 2]), torch.tensor(7)
draw_devices(x, n)
> cpu: a memory\n    x  shape (2,), int64, 16 bytes: 1 2\n    n  shape (), int64, 8 bytes: 7
> !->
# devices: a refusal is told by words and by the line
draw_devices(x, x.to('meta'))
> x.to('meta')  shape (2,), float32, no bytes: ? ?
> cpu -> meta: .to("meta") takes shape and dtype, the numbers stay behind
> meta -> cpu: .to("cpu") is refused, there are no numbers
> svg: >refused<
# graph: what has no name is told so
draw_graph(torch.ones(30, requires_grad=True) * torch.ones(30))
> unnamed  no gradient\n    (30,) float32
# graph: a shared parameter has all its names
model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
model[1].weight = model[0].weight
draw_graph(model(x).sum(), params=model)
> 0.weight, 1.weight  leaf
# graph: the last block of a row in a row ends as the others do
model = torch.nn.Sequential(*[torch.nn.Sequential(*[torch.nn.Sequential(*[torch.nn.Linear(4, 4)
    for _ in range(9)], torch.nn.Tanh()) for _ in range(3)]) for _ in range(2)])
draw_graph(model(torch.ones(4, 4)).sum(), params=model)
> -> 1.0 ... 1.2
# graph: a write into a part
y = x * 1
y[0] = 5.0
draw_graph(y)
> CopySlices:
# jacobian: elementwise
draw_jacobian(lambda x: x.exp(), torch.tensor([0.0, 1.0]))
> Only the diagonal has numbers other than 0
# jacobian: a running sum is a triangle
draw_jacobian(lambda x: x.cumsum(0), torch.tensor([1.0, 2.0, 3.0]))
> Above the diagonal all is 0
# jacobian: a result without a graph
draw_jacobian(lambda x: x.detach() * 2, torch.tensor([1.0]))
> All numbers are 0: no gradient of y reaches x.
> The result has no graph
# jacobian: an empty tensor
draw_jacobian(lambda x: x * 2, torch.zeros(0))
> There are no numbers in y
# jacobian: infinite slopes
draw_jacobian(lambda x: x.sqrt(), torch.tensor([0.0, 4.0]))
> inf
> draw_nonfinite
# jacobian: a large matrix has signs instead of numbers
draw_jacobian(lambda x: -x, torch.ones(20))
> - . .
> svg: Signs stand for numbers
# jacobian: a name of the caller never names the result too
y = torch.tensor(2.0)
draw_jacobian(lambda t: t * t, y)
> Jacobian of result = function(y)
# memory: what has a name is told apart
x = torch.tensor([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], requires_grad=True)
y = (x * x).exp().sum()
draw_memory(y)
> 80 bytes are saved. 40 bytes of them have no name: backward() frees them.
# memory: after backward nothing is kept
y = (x * x).exp().sum()
y.backward()
draw_memory(y)
> 0 bytes are saved
> Freed
# memory: an empty tensor
x = torch.tensor([], requires_grad=True)
draw_memory(x.exp().exp())
> 0 bytes are sav
# nonfinite: a leaf that holds nan
x = torch.tensor([float('nan'), 1.0], requires_grad=True)
draw_nonfinite(x.exp())
> It begins at the leaf x: it holds 1 nan of 2 numbers.
# module: modules that PyTorch does not see
model = torch.nn.Module()
model.layers, model.heads = [torch.nn.Linear(2, 2)], {'a': torch.nn.ReLU()}
model.forward = lambda x: model.heads['a'](model.layers[0](x))
draw_module(model, x)
> Not seen by PyTorch: modules in layers, a list; heads, a dict.
# nonfinite: nothing
draw_nonfinite(x * 2)
> No NaN and no infinity was found
# nonfinite: nothing in an empty tensor
x = torch.tensor([], requires_grad=True)
draw_nonfinite((x * 2).sum())
> No NaN and no infinity
# nonfinite: what was not kept is unknown
x = torch.tensor([1.0], requires_grad=True)
z = (x / 0).sum()
z.backward()
draw_nonfinite(z)
> not kept
> it may have begun in a function before
> Freed: backward has run here
# nonfinite: a hook is not a function
h = x * 2
h.register_hook(lambda grad: grad * float('nan'))
draw_nonfinite((h * 3).sum())
> a hook made it
# promotion: equal numbers
draw_promotion(2.5, float('2.5'))
> 2.5 (b): float32
# product: which numbers make the result
a, b = torch.tensor([[1, 2], [3, 4]]), torch.tensor([[5, 6], [7, 8]])
draw_product(a, b, at=(0, 1))
> a * b  element by element\n     1 [2]     5 [6]      5 [12]\n     3  4      7  8      21  32
> \n    the result at [0, 1] is 2*6 = 12\n\na @ b  row by column
> \n    [1][2]     5 [6]     19 [22]\n     3  4      7 [8]     43  50
> \n    the result at [0, 1] is 1*6 + 2*8 = 22
# promotion: a number of NumPy is a Python number
draw_promotion(np.float64(2.5), torch.tensor([1]))
> 2.5: float32, a Python float, counts
# promotion: no values are needed
draw_promotion(torch.zeros(2, 3, device='meta', dtype=torch.int16), 2.5)
> int16 and float32 give float32
# sharing: two parts of one storage
x = torch.arange(6)
front = x[:3]
draw_sharing(front, {'slices': {'x[3:]': x[3:], 'x[2:]': x[2:]}})
> beside front: the storage of front, but no element in common\n        x[3:]
> view of front: the storage of front\n        x[2:]
# sharing: one answer may lead both ways
x = torch.tensor([[1, 2], [3, 4]])
made = {'x.reshape(4)': x.reshape(4), 'x.t().reshape(4)': x.t().reshape(4)}
draw_sharing(x, {'reshape': made}, 'Which method?')
> Which method?\nreshape\n    view of x: the storage of x\n        x.reshape(4)  shape (4,)
> \n    copy: a storage of its own\n        x.t().reshape(4)  shape (4,)
# sharing: a name of its own even if the tree holds it again
x, made = torch.tensor([1.0]), {}
made['x.float()'] = x.float()
draw_sharing(x, {'float': made}, 'How?')
> x itself: the very same tensor
# storage: an array beside its tensor
t = torch.zeros(2)
draw_storage(t, t.numpy(), names={'t': t})
> array  shape (2,), stride (1,), offset 0
> t and array share
# storage: an array may be given a name
column = np.zeros((2, 3))[:, 1]
draw_storage(x, column, names={'one column': column})
> one column (array)
# storage: an array on a part of a storage
t = torch.tensor([[1, 2, 3], [4, 5, 6]])
column, tail = t.numpy()[:, 1], t[1].numpy()
draw_storage(t, column, tail)
> column (array)  shape (2,), stride (3,), offset 1
> tail (array)  shape (3,), stride (1,), offset 3
> !storages
# storage: arrays share with their owner
copied, table = torch.zeros(1), np.arange(6).reshape(2, 3)
row = table[1]
draw_storage(copied, table, row)
> row (array)  shape (3,), stride (1,), offset 3
> table (array) and row (array) share memory
# storage: an array of another dtype
t = torch.tensor([1.0, 2.0])
whole = t.numpy().view(np.int32)
draw_storage(t, whole)
> int32    @0: 1065353216 1073741824
> !storages
# storage: a view of other bits
t = torch.tensor([1.0, 2.0])
bits = t.view(torch.int32)
draw_storage(t, bits)
> t and bits share memory
> 1065353216 @0
> !storages
# storage: many pairs are one sentence
x = torch.arange(24)
p0, p1, p2, p3, p4, p5 = (x[n * 2 : n * 2 + 4] for n in range(6))
draw_storage(p0, p1, p2, p3, p4, p5)
> These share memory, pair by pair: p0 and p1; p1 and p2;
# strides: what merges and what does not
t = torch.tensor([[1, 2, 3], [4, 5, 6]]).t()
draw_strides(t)
> t  shape (3, 2), stride (1, 3), offset 0\n    places in row order: 0 3 1 4 2 5
> \n    the index of dimension 0 grows: a step of -2
> \nDimensions 0 and 1 do not merge: stride[0] is 1, but shape[1] * stride[1] is 2 * 3 = 6.
> svg: >+3</text>
# strides: a long walk
draw_strides(torch.zeros(40, 2))
> Only the first 25 of 80 elements are shown.
# strides: a wide step
draw_strides(torch.zeros(100)[::50])
> svg: Cells after @
# versions: nothing is stale
y = x * x
draw_versions(y)
> Versions of what was saved for y\nforward  MulBackward0\n    MulBackward0 saves x at version 0
> \nnow      the counters\n    x is at version 0
# versions: a view is written with its base
with record_versions() as film:
    w = torch.tensor([1.0, 2.0])
    row = w[:1]
    row.add_(1)
film.picture()
> w is written: version 0 -> 1\n    row is written: version 0 -> 1
"""


@pytest.mark.parametrize(("code", "words"), programs(SAID))
def test_the_words_of_a_picture_say(lib, x, code, words):
    picture = picture_after(lib, code, x=x)
    assert picture.svg.startswith("<svg")
    for word in words:
        where, colon, rest = word.partition(": ")
        if colon and where in ("alt", "svg"):
            assert rest in getattr(picture, where)
        else:
            assert (word.removeprefix("!") in picture.text) == (word[0] != "!")
