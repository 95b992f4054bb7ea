"""Words as points: those seen beside each other come to lie near each other (skip-gram)."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(6)
WORDS, WIDTH, NEAR, FALSE, BATCH = 2000, 50, 3, 5, 128


class SkipGram(nn.Module):
    def __init__(self):
        super().__init__()
        self.middle = nn.Embedding(WORDS, WIDTH)
        self.around = nn.Embedding(WORDS, WIDTH)
        nn.init.uniform_(self.middle.weight, -0.5 / WIDTH, 0.5 / WIDTH)
        nn.init.zeros_(self.around.weight)

    def forward(self, words, others, false):
        middle = self.middle(words)
        true = (middle * self.around(others)).sum(dim=1)
        wrong = torch.bmm(self.around(false), middle.unsqueeze(2)).squeeze(2)
        return -(F.logsigmoid(true) + F.logsigmoid(-wrong).sum(dim=1)).mean()


# A walk through the words: the next one is never far from the last.
walk = torch.cumsum(torch.randint(-4, 5, (2000,)), dim=0) % WORDS
pairs = torch.stack(
    [torch.stack([walk[NEAR:-NEAR], walk.roll(shift)[NEAR:-NEAR]], 1) for shift in (-2, -1, 1, 2)]
).view(-1, 2)

model = SkipGram()
optimizer = torch.optim.SGD(model.parameters(), lr=5.0)
losses = []
for some in torch.randperm(len(pairs)).split(BATCH):
    words, others = pairs[some].unbind(1)
    false = torch.randint(0, WORDS, (len(some), FALSE))
    loss = model(words, others, false)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

with torch.no_grad():
    points = F.normalize(model.middle.weight, dim=1)
    near = (points[walk[:10]] @ points.T).topk(5, dim=1)

results = [torch.tensor(losses), near.values, model.middle.weight]
