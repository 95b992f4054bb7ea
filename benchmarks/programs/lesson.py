"""A first lesson on classifiers: two spirals, a network of bare tensors, and a plain loop."""

import math

import torch

torch.manual_seed(9)
COUNT = 200


def spirals(count):
    """Points on two arms, and the arm of each."""
    turn = torch.sqrt(torch.rand(count)) * 2 * math.pi
    arm = torch.randint(0, 2, (count,))
    angle = turn + arm * math.pi
    points = torch.stack([turn * torch.cos(angle), turn * torch.sin(angle)], dim=1)
    return points + 0.2 * torch.randn(count, 2), arm


x, y = spirals(COUNT)
x = (x - x.mean(dim=0)) / x.std(dim=0)

w1 = (torch.randn(2, 32) / math.sqrt(2)).requires_grad_()
b1 = torch.zeros(32, requires_grad=True)
w2 = (torch.randn(32, 32) / math.sqrt(32)).requires_grad_()
b2 = torch.zeros(32, requires_grad=True)
w3 = (torch.randn(32, 1) / math.sqrt(32)).requires_grad_()
b3 = torch.zeros(1, requires_grad=True)
parameters = [w1, b1, w2, b2, w3, b3]

losses, accuracies = [], []
for step in range(200):
    h = torch.tanh(x @ w1 + b1)
    h = torch.tanh(h @ w2 + b2)
    chance = torch.sigmoid(h @ w3 + b3).squeeze(1)
    loss = -(y * torch.log(chance) + (1 - y) * torch.log(1 - chance)).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in parameters:
            parameter -= 0.3 * parameter.grad
            parameter.grad.zero_()
    losses.append(loss.item())
    if step % 20 == 0:
        accuracies.append(((chance > 0.5) == y).float().mean().item())

results = [torch.tensor(losses), torch.tensor(accuracies), *parameters]
