"""k-means: points go to the nearest middle, and middles to the mean of their points."""

import torch

torch.manual_seed(7)
COUNT, DIMENSIONS, GROUPS = 3000, 8, 10

true = torch.randn(GROUPS, DIMENSIONS) * 4
points = true[torch.randint(0, GROUPS, (COUNT,))] + torch.randn(COUNT, DIMENSIONS)


def first(points):
    """Middles far from each other: each is drawn by its distance from those before it."""
    middles = points[torch.randint(0, COUNT, (1,))]
    for _ in range(GROUPS - 1):
        far = torch.cdist(points, middles).min(dim=1).values ** 2
        middles = torch.cat([middles, points[torch.multinomial(far, 1)]])
    return middles


inertias = []
middles = first(points)
for _ in range(15):
    distances = torch.cdist(points, middles)
    nearest = distances.argmin(dim=1)
    inertias.append((distances.min(dim=1).values ** 2).mean().item())
    sums = torch.zeros_like(middles).index_add_(0, nearest, points)
    counts = torch.bincount(nearest, minlength=GROUPS).clamp(min=1)
    middles = sums / counts.unsqueeze(1)

for group in range(GROUPS):
    members = points[nearest == group]
    if len(members):
        middles[group] = members.mean(dim=0)

results = [torch.tensor(inertias), middles]
