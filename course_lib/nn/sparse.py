"""Embedding: a learned table of vectors, one per word, looked up by number."""

from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.ops.make.creation import empty
from course_lib.words import errors

__all__ = ["Embedding"]


class Embedding(Module):
    """Row ``i`` of a table for each index ``i``; the row `padding_idx` is zero and stays so.

    >>> torch.nn.Embedding(10, 3)(torch.tensor([[1, 2], [4, 9]])).shape
    torch.Size([2, 2, 3])
    """

    weight: Parameter

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        if max_norm is not None or scale_grad_by_freq or sparse:
            exotic = "max_norm, scale_grad_by_freq or sparse"
            raise NotImplementedError(errors.absent(f"torch.nn.Embedding with {exotic}"))
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < max(num_embeddings, 1):
                raise AssertionError(errors.PADDING_IDX)
            padding_idx += num_embeddings * (padding_idx < 0)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = padding_idx
        size = (num_embeddings, embedding_dim)
        if _weight is not None and tuple(_weight.shape) != size:
            raise AssertionError(errors.EMBEDDING_SHAPE)
        table = empty(size, device=device, dtype=dtype) if _weight is None else _weight
        self.weight = Parameter(table, requires_grad=not _freeze)
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Redraw the table: normal numbers, zeros in the row `padding_idx`."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """The rows."""
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        """The sizes, and the row that stays zero."""
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        return text + f", padding_idx={self.padding_idx}" * (self.padding_idx is not None)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None
    ) -> "Embedding":
        """A table that exists, not trained any further unless `freeze` is False.

        >>> table = torch.nn.Embedding.from_pretrained(torch.tensor([[1., 2.], [3., 4.]]))
        >>> table(torch.tensor([1]))
        tensor([[3., 4.]])
        """
        if len(embeddings.shape) != 2:
            raise AssertionError(errors.PRETRAINED_DIMS)
        return cls(*embeddings.shape, padding_idx, _weight=embeddings, _freeze=freeze)
