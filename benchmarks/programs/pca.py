"""Principal components of faces made of a few waves: by the SVD, by eigenvectors, by descent."""

import torch

torch.manual_seed(8)
COUNT, SIZE, KEPT = 400, 100, 5

waves = torch.stack([torch.sin(torch.linspace(0, 3 + n, SIZE) * (n + 1)) for n in range(KEPT)])
strength = torch.randn(COUNT, KEPT) * torch.tensor([5.0, 4.0, 3.0, 2.0, 1.0])
data = strength @ waves + torch.randn(COUNT, SIZE) * 0.1
data = (data - data.mean(dim=0)) / data.std(dim=0)

_, singular, rows = torch.linalg.svd(data, full_matrices=False)
shares = singular**2 / (singular**2).sum()
components = rows[:KEPT]
again = data @ components.T @ components
missed = ((data - again) ** 2).mean()

covariance = data.T @ data / (COUNT - 1)
variances, _ = torch.linalg.eigh(covariance)

# The first component once more, as the direction of the largest variance.
direction = torch.ones(SIZE, requires_grad=True)
for _ in range(100):
    unit = direction / direction.norm()
    variance = (data @ unit).var()
    variance.backward()
    with torch.no_grad():
        direction += 0.05 * direction.grad
        direction.grad = None

results = [shares[:KEPT], missed, variances[-KEPT:], variance, components.abs()]
