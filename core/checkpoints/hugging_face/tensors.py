"""The tensors of a foreign checkpoint while each finds its place: none may be left over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from torch import Tensor

from core.errors import CheckpointError
from core.language import N_, Phrase


def plain_names(stored: Iterable[str], plain: Callable[[str], str], where: Path) -> dict[str, str]:
    """The plain name of each tensor, and what it is called in the file.

    Raises:
        CheckpointError: two have the same.
    """
    names: dict[str, str] = {}
    for full in sorted(stored):
        name = plain(full)
        if name in names:
            problem = N_("tensors {one} and {other} are two of one name")
            raise CheckpointError(where, Phrase(problem, one=repr(names[name]), other=repr(full)))
        names[name] = full
    return names


def _equal(tensor: Tensor, other: Tensor) -> bool:
    """Whether two tensors, of whatever kind, hold the same numbers."""
    return tensor.dtype == other.dtype and tensor.equal(other)


class Tensors:
    """The tensors of a checkpoint by their plain names.

    Args:
        stored: by their names in the file.
        plain: a name without what differs between files of one family: a prefix, an old spelling.
        where: the file, for messages.

    Raises:
        CheckpointError: two have the same name.
    """

    def __init__(
        self, stored: Mapping[str, Tensor], plain: Callable[[str], str], where: Path
    ) -> None:
        self.where = where
        self._names = plain_names(stored, plain, where)
        self._all = {name: stored[full] for name, full in self._names.items()}
        self._taken: set[str] = set()

    def take(self, name: str) -> Tensor:
        """A tensor; one that holds several of ours is taken several times.

        Raises:
            CheckpointError: it is missing.
        """
        if name not in self._all:
            problem = N_("tensor {name} is missing")
            raise CheckpointError(self.where, Phrase(problem, name=repr(name)))
        self._taken.add(name)
        return self._all[name]

    def tie(self, name: str, *copies: str) -> None:
        """Tensors that are one in our model: whichever is there will do, all have to be equal.

        Raises:
            CheckpointError: two differ; names both.
        """
        for copy in copies:
            if copy not in self._all:
                continue
            tensor, full = self._all.pop(copy), self._names[copy]
            if name not in self._all:
                self._all[name], self._names[name] = tensor, full
            elif not _equal(tensor, self._all[name]):
                problem = N_(
                    "tensors {name} and {copy} differ, but are one in this model "
                    '("tie_word_embeddings"); find out which of them is right, and save the '
                    "checkpoint without the other"
                )
                raise CheckpointError(
                    self.where,
                    Phrase(problem, name=repr(self._names[name]), copy=repr(full)),
                )

    def has(self, name: str) -> bool:
        """Whether there is one of that name."""
        return name in self._all

    def change(self, name: str, how: Callable[[Tensor], Tensor]) -> None:
        """Put what follows from a tensor in its place, if it is there."""
        if name in self._all:
            self._all[name] = how(self._all[name])

    def leave_out(self, name: str) -> Tensor | None:
        """A tensor that our model has no use for; None when it is not there."""
        return self._all.pop(name, None)

    def untaken(self) -> list[str]:
        """The plain names of those that were not taken, in order."""
        return sorted(self._all.keys() - self._taken)

    def check_none_left(self, title: str) -> None:
        """See that every tensor was taken or left out.

        Raises:
            CheckpointError: names one that was not.
        """
        for name in self.untaken():
            problem = N_(
                "tensor {name} does not belong to a {kind} with these settings, so the model might "
                "compute something else; save the checkpoint without it if you are sure that it "
                "changes no result"
            )
            raise CheckpointError(
                self.where, Phrase(problem, name=repr(self._names[name]), kind=title)
            )
