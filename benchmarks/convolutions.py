"""A training step of a small convolutional network."""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from benchmarks.perceptrons import NO_MATRICES, RATE, autograd_cross_entropy, descend, training
from benchmarks.workload import Step, Workload

FILTERS, SIZE, HALF = 8, 26, 13  # 28 × 28 pictures, 3 × 3 filters, pools of 2 × 2

cnn = Workload(
    "cnn",
    "CNN step, batch 16, 28 × 28, 8 filters, relu, max pool, linear, cross entropy, SGD",
    goal=0.95,
    goal_by_hand=2.2,
    lacks=NO_MATRICES,
)


def pictures() -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Parameters, inputs and labels."""
    rng = np.random.default_rng(6)

    def within(bound: float, *shape: int) -> np.ndarray:
        return rng.uniform(-bound, bound, shape).astype(np.float32)

    flat = FILTERS * HALF * HALF
    arrays = [
        within(1 / 3, FILTERS, 1, 3, 3),
        within(1 / 3, FILTERS),
        within(flat**-0.5, 10, flat),
        within(flat**-0.5, 10),
    ]
    return arrays, rng.random((16, 1, 28, 28), dtype=np.float32), rng.integers(0, 10, 16)


@cnn.written_for("torch")
def _(torch: Any) -> Step:
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, FILTERS, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(FILTERS * HALF * HALF, 10),
    )
    return training(torch, model, pictures(), "CrossEntropyLoss")


@cnn.written_for("mygrad")
def _(mg: Any) -> Step:
    from mygrad.nnet.activations import relu
    from mygrad.nnet.layers import conv_nd, max_pool
    from mygrad.nnet.losses import softmax_crossentropy

    arrays, x, labels = pictures()
    tensors = [mg.tensor(array) for array in arrays]
    filters, bias, weight, last = tensors

    def step() -> Any:
        h = relu(conv_nd(x, filters, stride=1) + bias.reshape(FILTERS, 1, 1))
        h = max_pool(h, (2, 2), 2).reshape(len(x), -1)
        loss = softmax_crossentropy(mg.matmul(h, weight.T) + last, labels)
        loss.backward()
        for tensor in tensors:
            tensor.data -= RATE * tensor.grad
        return loss, *(t.grad for t in tensors), *tensors

    return step


@cnn.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp
    from autograd.scipy.signal import convolve

    arrays, x, labels = pictures()

    def objective(arrays: list) -> Any:
        filters, bias, weight, last = arrays
        turned = filters[:, 0, ::-1, ::-1]
        h = convolve(x[:, 0], turned, axes=([1, 2], [1, 2]), mode="valid")
        h = anp.maximum(h + bias[:, None, None], 0)
        h = anp.reshape(h, (len(x), FILTERS, HALF, 2, HALF, 2))
        h = anp.reshape(anp.max(anp.max(h, 5), 3), (len(x), -1))
        return autograd_cross_entropy(anp.dot(h, weight.T) + last, labels)

    both = autograd.value_and_grad(objective)

    def step() -> Any:
        loss, grads = both(arrays)
        for array, grad in zip(arrays, grads):
            array -= RATE * grad
        return loss, *grads, *arrays

    return step


@cnn.written_for("numpy")
def _(_: Any) -> Step:
    arrays, x, labels = pictures()
    filters, bias, weight, last = arrays
    rows = np.arange(len(x))

    def step() -> Any:
        # Every 3 × 3 window as a column: the convolution is one product of matrices.
        windows = sliding_window_view(x[:, 0], (3, 3), (1, 2)).transpose(0, 3, 4, 1, 2)
        columns = windows.reshape(len(x), 9, SIZE * SIZE)
        h = np.matmul(filters.reshape(FILTERS, 9), columns)
        h += bias[:, None]
        np.maximum(h, 0, out=h)
        boxes = h.reshape(len(x), FILTERS, HALF, 2, HALF, 2)
        pooled = boxes.max((3, 5))
        flat = pooled.reshape(len(x), -1)

        scores = np.dot(flat, weight.T)
        scores += last
        scores -= scores.max(axis=1, keepdims=True)
        chosen = scores[rows, labels]
        grad = np.exp(scores, out=scores)
        total = grad.sum(axis=1)
        loss = (np.log(total) - chosen).mean()
        grad /= total[:, None]
        grad[rows, labels] -= 1
        grad /= np.float32(len(x))

        inner = np.dot(grad, weight).reshape(pooled.shape)
        inner *= pooled > 0
        # Where the largest of a box stands; behind a relu equal ones are zeros and get nothing.
        spread = (boxes == pooled[:, :, :, None, :, None]) * inner[:, :, :, None, :, None]
        spread = spread.reshape(len(x), FILTERS, SIZE * SIZE)
        filters_grad = np.tensordot(spread, columns, ((0, 2), (0, 2)))
        grads = [
            filters_grad.reshape(filters.shape),
            spread.sum((0, 2)),
            np.dot(grad.T, flat),
            grad.sum(0),
        ]
        descend(arrays, grads)
        return loss, *grads, *arrays

    return step
