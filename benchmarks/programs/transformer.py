"""A small transformer that learns to sort digits: attention, written out, and two blocks of it."""

import math

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(2)
DIGITS, COUNT, WIDTH, HEADS = 8, 12, 64, 4
LENGTH = 2 * COUNT - 1


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", torch.tril(torch.ones(LENGTH, LENGTH)).bool())

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (
            part.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in self.qkv(x).split(WIDTH, dim=2)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(WIDTH // HEADS)
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).contiguous().view(batch, length, WIDTH))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention()
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1)
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Sorter(nn.Module):
    def __init__(self):
        super().__init__()
        self.digit = nn.Embedding(DIGITS, WIDTH)
        self.place = nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.Sequential(Block(), Block())
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, DIGITS, bias=False)

    def forward(self, x):
        h = self.digit(x) + self.place(torch.arange(x.shape[1]))
        return self.head(self.norm(self.blocks(h)))


def batch(size=16):
    """Digits followed by the same in order; what is to be foretold is the second half."""
    digits = torch.randint(0, DIGITS, (size, COUNT))
    whole = torch.cat([digits, digits.sort(dim=1).values], dim=1)
    target = whole[:, 1:].clone()
    target[:, : COUNT - 1] = -1
    return whole[:, :-1], target


model = Sorter()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
losses = []
for _ in range(12):
    x, target = batch()
    scores = model(x)
    loss = F.cross_entropy(scores.view(-1, DIGITS), target.view(-1), ignore_index=-1)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

model.eval()
with torch.no_grad():
    x = batch(4)[0][:, :COUNT]
    for _ in range(COUNT):
        scores = model(x)[:, -1]
        x = torch.cat([x, scores.argmax(dim=-1, keepdim=True)], dim=1)

results = [torch.tensor(losses), scores]
