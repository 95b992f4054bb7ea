"""Training steps of multi-layer perceptrons: forward, backward, gradient descent."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.workload import Step, Workload

NO_MATRICES = {"micrograd": "has single numbers only"}

small = Workload(
    "mlp-small",
    "MLP step, batch 32, 2-16-16-1, tanh, MSE, SGD",
    goal=0.5,
    goal_by_hand=4,
    lacks={"micrograd": "has no tanh"},
)
large = Workload(
    "mlp-large",
    "MLP step, batch 64, 784-128-10, relu, cross entropy, SGD",
    goal=0.9,
    goal_by_hand=1.4,
    lacks=NO_MATRICES,
)
adam = Workload(
    "mlp-adam",
    "the small MLP step with Adam",
    lacks={
        "micrograd": "has no tanh",
        "mygrad": "has no Adam",
        "autograd": "has Adam for whole loops only",
    },
)
deep = Workload(
    "memory",
    "peak memory, 10-layer 256-wide MLP, batch 1024",
    goal=0.8,
    goal_by_hand=1.7,
    lacks=NO_MATRICES,
    memory=True,
)
RATE = 0.01
WIDTH, LAYERS, BATCH = 256, 10, 1024


def initial(rng: np.random.Generator, *sizes: int) -> list[np.ndarray]:
    """Weights (as rows of outputs, PyTorch's way) and biases, layer by layer."""
    arrays = []
    for wide, narrow in zip(sizes[:-1], sizes[1:]):
        bound = wide**-0.5
        arrays.append(rng.uniform(-bound, bound, (narrow, wide)).astype(np.float32))
        arrays.append(rng.uniform(-bound, bound, narrow).astype(np.float32))
    return arrays


def points() -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Parameters, inputs and targets of the small perceptron."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((32, 2)).astype(np.float32)
    return initial(rng, 2, 16, 16, 1), x, np.sin(x[:, :1]) * x[:, 1:]


def digits() -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Parameters, inputs and labels of the large perceptron."""
    rng = np.random.default_rng(1)
    x = rng.random((64, 784), dtype=np.float32)
    return initial(rng, 784, 128, 10), x, rng.integers(0, 10, 64)


def layers(batch: int = BATCH) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Parameters, inputs and targets of the deep perceptron."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((batch, WIDTH)).astype(np.float32)
    return initial(rng, *[WIDTH] * (LAYERS + 1)), x, np.roll(x, 1, 1)


def few_layers() -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """The same with a small batch. A step of it comes before the one whose memory is measured, so
    that what the library of matrix products keeps for itself is there already.
    """
    return layers(32)


# ---- PyTorch and course_lib ----------------------------------------------------------------------


def training(torch: Any, model: Any, inputs: tuple, loss: str, rule: str = "SGD") -> Step:
    """The training step of every tutorial: zero_grad, forward, backward, step."""
    arrays, x, target = inputs
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), arrays):
            parameter.copy_(torch.from_numpy(array))
    parameters = list(model.parameters())
    optimizer = getattr(torch.optim, rule)(parameters, lr=RATE)
    criterion = getattr(torch.nn, loss)()
    x, target = torch.from_numpy(x), torch.from_numpy(target)

    def step() -> Any:
        optimizer.zero_grad()
        value = criterion(model(x), target)
        value.backward()
        optimizer.step()
        return value, *[parameter.grad for parameter in parameters], *parameters

    return step


def with_torch(torch: Any, inputs: Callable, activation: str, loss: str, rule: str = "SGD") -> Step:
    nn, made = torch.nn, inputs()
    modules = []
    for weight in made[0][::2]:
        modules += [nn.Linear(weight.shape[1], weight.shape[0]), getattr(nn, activation)()]
    return training(torch, nn.Sequential(*modules[:-1]), made, loss, rule)


@small.written_for("torch")
def _(torch: Any) -> Step:
    return with_torch(torch, points, "Tanh", "MSELoss")


@adam.written_for("torch")
def _(torch: Any) -> Step:
    return with_torch(torch, points, "Tanh", "MSELoss", "Adam")


@large.written_for("torch")
def _(torch: Any) -> Step:
    return with_torch(torch, digits, "ReLU", "CrossEntropyLoss")


@deep.written_for("torch")
def _(torch: Any) -> Step:
    with_torch(torch, few_layers, "Tanh", "MSELoss")()
    return with_torch(torch, layers, "Tanh", "MSELoss")


# ---- MyGrad --------------------------------------------------------------------------------------


def with_mygrad(mg: Any, inputs: Callable, activation: Callable, loss: Callable) -> Step:
    arrays, x, target = inputs()
    tensors = [mg.tensor(array) for array in arrays]

    def step() -> Any:
        h = x
        for weight, bias in zip(tensors[0:-2:2], tensors[1:-2:2]):
            h = activation(mg.matmul(h, weight.T) + bias)
        value = loss(mg.matmul(h, tensors[-2].T) + tensors[-1], target)
        value.backward()
        for tensor in tensors:
            tensor.data -= RATE * tensor.grad
        return value, *(t.grad for t in tensors), *tensors

    return step


def mygrad_mse(prediction: Any, target: Any) -> Any:
    return ((prediction - target) ** 2).mean()


@small.written_for("mygrad")
def _(mg: Any) -> Step:
    return with_mygrad(mg, points, mg.tanh, mygrad_mse)


@large.written_for("mygrad")
def _(mg: Any) -> Step:
    from mygrad.nnet.activations import relu
    from mygrad.nnet.losses import softmax_crossentropy

    return with_mygrad(mg, digits, relu, softmax_crossentropy)


@deep.written_for("mygrad")
def _(mg: Any) -> Step:
    with_mygrad(mg, few_layers, mg.tanh, mygrad_mse)()
    return with_mygrad(mg, layers, mg.tanh, mygrad_mse)


# ---- autograd ------------------------------------------------------------------------------------


def with_autograd(autograd: Any, inputs: Callable, activation: Callable, loss: Callable) -> Step:
    arrays, x, target = inputs()

    def objective(arrays: list) -> Any:
        h = x
        for weight, bias in zip(arrays[0:-2:2], arrays[1:-2:2]):
            h = activation(autograd.numpy.dot(h, weight.T) + bias)
        return loss(autograd.numpy.dot(h, arrays[-2].T) + arrays[-1], target)

    both = autograd.value_and_grad(objective)

    def step() -> Any:
        value, grads = both(arrays)
        for array, grad in zip(arrays, grads):
            array -= RATE * grad
        return value, *grads, *arrays

    return step


def autograd_mse(prediction: Any, target: Any) -> Any:
    import autograd.numpy as anp

    return anp.mean((prediction - target) ** 2)


def autograd_cross_entropy(scores: Any, labels: Any) -> Any:
    import autograd.numpy as anp

    scores = scores - anp.max(scores, axis=1, keepdims=True)
    chosen = scores[anp.arange(len(labels)), labels]
    return anp.mean(anp.log(anp.sum(anp.exp(scores), axis=1)) - chosen)


@small.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    return with_autograd(autograd, points, anp.tanh, autograd_mse)


@large.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    return with_autograd(autograd, digits, lambda h: anp.maximum(h, 0), autograd_cross_entropy)


@deep.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    with_autograd(autograd, few_layers, anp.tanh, autograd_mse)()
    return with_autograd(autograd, layers, anp.tanh, autograd_mse)


# ---- by hand -------------------------------------------------------------------------------------


def descend(arrays: list, grads: list) -> None:
    """Gradient descent."""
    for array, grad in zip(arrays, grads):
        array -= np.float32(RATE) * grad


class Adam:
    """The rule of Adam, as it stands in the paper."""

    def __init__(self) -> None:
        self.steps, self.first, self.second = 0, [], []

    def __call__(self, arrays: list, grads: list) -> None:
        self.steps += 1
        self.first = self.first or [np.zeros_like(array) for array in arrays]
        self.second = self.second or [np.zeros_like(array) for array in arrays]
        rate = np.float32(RATE / (1 - 0.9**self.steps))
        root = np.float32((1 - 0.999**self.steps) ** 0.5)
        for array, grad, first, second in zip(arrays, grads, self.first, self.second):
            first *= np.float32(0.9)
            first += np.float32(0.1) * grad
            second *= np.float32(0.999)
            second += np.float32(0.001) * grad * grad
            array -= rate * first / (np.sqrt(second) / root + np.float32(1e-8))


def tanh_by_hand(inputs: Callable, update: Callable = descend) -> Step:
    arrays, x, target = inputs()
    weights, biases = arrays[::2], arrays[1::2]

    def step() -> Any:
        outputs = [x]
        for weight, bias in zip(weights[:-1], biases[:-1]):
            h = np.dot(outputs[-1], weight.T)
            h += bias
            outputs.append(np.tanh(h, out=h))
        error = np.dot(outputs[-1], weights[-1].T)
        error += biases[-1]
        error -= target
        flat = error.ravel()
        loss = np.dot(flat, flat) / flat.size
        grads = []
        grad = error
        grad *= np.float32(2 / flat.size)
        for weight in weights[::-1]:
            h = outputs.pop()
            grads += [np.ones(len(grad), grad.dtype).dot(grad), np.dot(grad.T, h)]
            if outputs:
                grad = np.dot(grad, weight)
                h *= h
                grad *= np.subtract(1, h, out=h)
        grads.reverse()
        update(arrays, grads)
        return loss, *grads, *arrays

    return step


@small.written_for("numpy")
def _(_: Any) -> Step:
    return tanh_by_hand(points)


@adam.written_for("numpy")
def _(_: Any) -> Step:
    return tanh_by_hand(points, Adam())


@deep.written_for("numpy")
def _(_: Any) -> Step:
    tanh_by_hand(few_layers)()
    return tanh_by_hand(layers)


@large.written_for("numpy")
def _(_: Any) -> Step:
    arrays, x, labels = digits()
    w1, b1, w2, b2 = arrays
    rows = np.arange(len(x))

    def step() -> Any:
        h = np.dot(x, w1.T)
        h += b1
        np.maximum(h, 0, out=h)
        scores = np.dot(h, w2.T)
        scores += b2
        scores -= scores.max(axis=1, keepdims=True)
        chosen = scores[rows, labels]
        grad = np.exp(scores, out=scores)
        total = grad.sum(axis=1)
        loss = (np.log(total) - chosen).mean()
        grad /= total[:, None]
        grad[rows, labels] -= 1
        grad /= np.float32(len(x))
        inner = np.dot(grad, w2)
        inner *= h > 0
        grads = [np.dot(inner.T, x), inner.sum(0), np.dot(grad.T, h), grad.sum(0)]
        descend(arrays, grads)
        return loss, *grads, *arrays

    return step
