"""`torch.optim.lr_scheduler`: plans for how the learning rate changes while training goes on.

Call `scheduler.step()` once per epoch, after the optimizer's steps of that epoch.
"""

from course_lib.optim.lr_scheduler.combined import ChainedScheduler, SequentialLR
from course_lib.optim.lr_scheduler.cycle import OneCycleLR
from course_lib.optim.lr_scheduler.decay import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from course_lib.optim.lr_scheduler.functions import LambdaLR, MultiplicativeLR
from course_lib.optim.lr_scheduler.plateau import ReduceLROnPlateau
from course_lib.optim.lr_scheduler.scheduler import LRScheduler
from course_lib.optim.lr_scheduler.waves import CosineAnnealingWarmRestarts, CyclicLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]
