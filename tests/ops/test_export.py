"""Out of the tensor: what a table of recorded cases cannot say."""

import copy
import pickle

import numpy as np

import course_lib as torch


def test_numpy_and_tensor_see_each_others_writes():
    x = torch.zeros(2, 3)
    a = x.t().numpy()
    a[0, 1] = 5
    x[0, 0] = 7
    assert x[1, 0].item() == 5 and a[0, 0] == 7


def test_reshaping_the_array_leaves_the_tensor_alone():
    x = torch.zeros(2, 3)
    assert x.numpy().reshape(6).shape == (6,) and x.shape == (2, 3)
    assert x.numpy() is not x.numpy()


def test_a_subclass_prints_its_own_name():
    class Mine(torch.Tensor):
        pass

    x = torch.Tensor._make(np.ones(2, np.float32), torch.float32, Mine)
    assert repr(x) == "Mine([1., 1.])"


def test_a_deep_copy_keeps_who_shares_memory_with_whom():
    base = torch.zeros(4)
    copies = copy.deepcopy({"base": base, "part": base[1:3]})
    copies["base"][1] = 5
    assert copies["part"][0].item() == 5 and base[1].item() == 0


def test_a_deep_copy_of_a_leaf_copies_its_gradient():
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    y = copy.deepcopy(x)
    x.grad.zero_()
    assert y.requires_grad and y.grad.tolist() == [3, 3]


def test_a_pickle_keeps_dtype_strides_and_offset():
    x = torch.arange(6).view(2, 3).to(torch.bfloat16).t()[1:]
    y = pickle.loads(pickle.dumps(x))
    assert (y.dtype, y.stride(), y.storage_offset()) == (x.dtype, x.stride(), x.storage_offset())
    assert torch.equal(x, y)


def test_attributes_of_ones_own_travel_with_copies():
    x = torch.ones(2)
    x.note = ["a"]
    assert copy.copy(x).note is x.note
    assert copy.deepcopy(x).note == ["a"] and copy.deepcopy(x).note is not x.note
    assert pickle.loads(pickle.dumps(x)).note == ["a"]
