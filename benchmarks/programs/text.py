"""A recurrent model of a text, letter by letter, which then goes on writing by itself."""

import torch
from torch import nn

torch.manual_seed(1)
TEXT = "the cat sat on the mat and the rat ran from the cat to the hat on the mat " * 40
letters = sorted(set(TEXT))
numbers = {letter: number for number, letter in enumerate(letters)}
data = torch.tensor([numbers[letter] for letter in TEXT])
LENGTH, BATCH = 32, 16


class Writer(nn.Module):
    def __init__(self, size, wide=32, hidden=64):
        super().__init__()
        self.embed = nn.Embedding(size, wide)
        self.lstm = nn.LSTM(wide, hidden, batch_first=True)
        self.head = nn.Linear(hidden, size)

    def forward(self, x, state=None):
        h, state = self.lstm(self.embed(x), state)
        return self.head(h), state


model = Writer(len(letters))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
losses = []
for _ in range(20):
    starts = torch.randint(0, len(data) - LENGTH - 1, (BATCH,))
    x = torch.stack([data[i : i + LENGTH] for i in starts])
    y = torch.stack([data[i + 1 : i + LENGTH + 1] for i in starts])
    scores, _ = model(x)
    loss = nn.functional.cross_entropy(scores.reshape(-1, len(letters)), y.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    losses.append(loss.item())

with torch.no_grad():
    letter, state, written = data[:1].reshape(1, 1), None, []
    for _ in range(40):
        scores, state = model(letter, state)
        chances = torch.softmax(scores[:, -1], dim=-1)
        letter = torch.multinomial(chances, 1)
        written.append(letter.item())

results = [torch.tensor(losses), chances]
