"""A convolutional network that tells four kinds of stripes apart, with batch normalization."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
SIZE = 28


def stripes(count):
    """Noisy pictures, and the direction of the stripes in them."""
    labels = torch.randint(0, 4, (count,))
    angle = labels.float().reshape(-1, 1, 1) * (3.1416 / 4)
    row = torch.arange(SIZE).float().reshape(1, -1, 1)
    column = torch.arange(SIZE).float().reshape(1, 1, -1)
    waves = torch.sin(row * torch.sin(angle) + column * torch.cos(angle))
    return (waves + torch.randn(count, SIZE, SIZE) * 0.5).unsqueeze(1), labels


model = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1, bias=False),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1, bias=False),
    nn.BatchNorm2d(32),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Dropout(0.2),
    nn.Linear(32 * 7 * 7, 4),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
batches = DataLoader(TensorDataset(*stripes(256)), batch_size=32, shuffle=True)

losses = []
for pictures, labels in batches:
    optimizer.zero_grad()
    loss = criterion(model(pictures), labels)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

model.eval()
with torch.no_grad():
    pictures, labels = stripes(64)
    scores = model(pictures)
    right = (scores.argmax(1) == labels).float().mean()

results = [torch.tensor(losses), scores, right]
