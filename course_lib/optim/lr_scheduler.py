"""`torch.optim.lr_scheduler`: schedules that change the learning rate during training.

Call `scheduler.step()` once per epoch, after the optimizer's steps of that epoch.

>>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.)
>>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
>>> optimizer.step()
>>> scheduler.step()
>>> scheduler.get_last_lr()
[0.5]
"""

from course_lib.declare.public import completed as _completed

__getattr__, __dir__ = _completed(globals(), "optim.lr_scheduler")
