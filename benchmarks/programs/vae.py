"""A variational autoencoder of blurred dots: it learns where a dot may lie, and draws new ones."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(3)
SIDE, HIDDEN, CODE = 20, 128, 4


def dots(count):
    middle = torch.rand(count, 2, 1, 1) * SIDE
    row = torch.arange(SIDE).float().view(1, SIDE, 1)
    column = torch.arange(SIDE).float().view(1, 1, SIDE)
    far = (row - middle[:, 0]) ** 2 + (column - middle[:, 1]) ** 2
    return torch.exp(-far / 8).view(count, -1)


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.inwards = nn.Linear(SIDE * SIDE, HIDDEN)
        self.mean = nn.Linear(HIDDEN, CODE)
        self.log_variance = nn.Linear(HIDDEN, CODE)
        self.outwards = nn.Linear(CODE, HIDDEN)
        self.picture = nn.Linear(HIDDEN, SIDE * SIDE)

    def encode(self, x):
        h = F.relu(self.inwards(x))
        return self.mean(h), self.log_variance(h)

    def decode(self, code):
        return torch.sigmoid(self.picture(F.relu(self.outwards(code))))

    def forward(self, x):
        mean, log_variance = self.encode(x)
        spread = torch.exp(0.5 * log_variance)
        return self.decode(mean + spread * torch.randn_like(spread)), mean, log_variance


model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
pictures = dots(1024)
losses = []
for _ in range(3):
    order = torch.randperm(len(pictures))
    for some in order.split(64):
        x = pictures[some]
        again, mean, log_variance = model(x)
        missed = F.binary_cross_entropy(again, x, reduction="sum")
        apart = -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())
        loss = (missed + apart) / len(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

with torch.no_grad():
    drawn = model.decode(torch.randn(16, CODE))

results = [torch.tensor(losses), drawn]
