"""Two networks against each other: one draws crosses, the other tells them from true ones."""

import torch
from torch import nn

torch.manual_seed(4)
NOISE, BATCH = 16, 16


def crosses(count):
    pictures = -torch.ones(count, 1, 16, 16)
    places = torch.randint(2, 14, (count, 2))
    for picture, (row, column) in zip(pictures, places):
        picture[0, row, :] = 1.0
        picture[0, :, column] = 1.0
    return pictures


def initial(module):
    if isinstance(module, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(module.weight, 0.0, 0.02)


artist = nn.Sequential(
    nn.ConvTranspose2d(NOISE, 32, 4, bias=False),
    nn.BatchNorm2d(32),
    nn.ReLU(True),
    nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1, bias=False),
    nn.BatchNorm2d(16),
    nn.ReLU(True),
    nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1),
    nn.Tanh(),
).apply(initial)
critic = nn.Sequential(
    nn.Conv2d(1, 16, 4, stride=2, padding=1),
    nn.LeakyReLU(0.2, True),
    nn.Conv2d(16, 32, 4, stride=2, padding=1, bias=False),
    nn.BatchNorm2d(32),
    nn.LeakyReLU(0.2, True),
    nn.Conv2d(32, 1, 4),
    nn.Flatten(0),
).apply(initial)
artists = torch.optim.Adam(artist.parameters(), lr=2e-4, betas=(0.5, 0.999))
critics = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
criterion = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(BATCH), torch.zeros(BATCH)

losses = []
for _ in range(12):
    true, false = crosses(BATCH), artist(torch.randn(BATCH, NOISE, 1, 1))
    critics.zero_grad()
    missed = criterion(critic(true), ones) + criterion(critic(false.detach()), zeros)
    missed.backward()
    critics.step()

    artists.zero_grad()
    noticed = criterion(critic(false), ones)
    noticed.backward()
    artists.step()
    losses += [missed.item(), noticed.item()]

with torch.no_grad():
    drawn = artist.eval()(torch.randn(8, NOISE, 1, 1))

results = [torch.tensor(losses), drawn]
