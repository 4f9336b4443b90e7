"""What a model can be called with, by what it can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from torch import Tensor

from core.models.abilities import Ability, require
from core.tracing.tap import NO_TAP, Tap

if TYPE_CHECKING:
    from core.decoding.decoder import Decoder


class Scores(Protocol):
    """Abilities ``next_token`` and ``masked_words``: a number for each word at each position."""

    def __call__(self, ids: Tensor, *, mask: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """Logits ``(B, T, V)`` of ids ``(B, T)``; a bool mask is put in place of its own."""


class Continues(Scores, Protocol):
    """Ability ``next_token``: writes on, token after token."""

    def begin(self, room: int | None = None) -> Decoder:
        """The state of a text of so many tokens at most; the whole context when None.

        It holds for the weights of this moment, of which it keeps keys, values and copies: after a
        change of them, in place or not, what it goes on with is neither model's. Begin anew.
        """


class TranslationSizes(Protocol):
    """What a translation asks of a config: room, vocabulary, and the marks around a target."""

    @property
    def n_ctx(self) -> int: ...

    @property
    def vocab_size(self) -> int: ...

    @property
    def start_id(self) -> int: ...

    @property
    def end_id(self) -> int: ...


class Translates(Protocol):
    """Abilities ``translate``, ``fill_spans``, ``denoise``: writes what follows from a source."""

    @property
    def config(self) -> TranslationSizes: ...

    def __call__(
        self,
        source: Tensor,
        target: Tensor,
        *,
        encoder_mask: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """Logits ``(B, T, V)`` of targets ``(B, T)`` to sources ``(B, S)``, as it learns.

        The masks are bool and broadcast: what reads the source may see ``(B, 1, 1, S)`` of it, the
        target ``(B, 1, T, S)``. A model without such attention passes over what is padding.
        """

    def begin(self, source: Tensor, room: int | None = None) -> Decoder:
        """The state of the targets of sources ``(B, S)``; as ``Continues.begin``."""


class PredictsBothWays(Protocol):
    """Ability ``both_ways``: two language models, one reads forwards and one backwards."""

    def __call__(
        self, letters: Tensor, *, real: Tensor | None = None, tap: Tap = NO_TAP
    ) -> tuple[Tensor, Tensor]:
        """Logits ``(B, T, V)`` of the word after each, and of the word before each.

        ``letters`` are the rows of each word's characters ``(B, T, W)``; ``real`` is False on
        padding, ``(B, T)``.
        """


class JudgesPairs(Protocol):
    """Ability ``sentence_pairs``."""

    def hidden(
        self,
        ids: Tensor,
        *,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        tap: Tap = NO_TAP,
    ) -> Tensor:
        """What the heads read, ``(B, T, D)``; ``types`` says which segment a token is of."""

    def pooled(
        self, ids: Tensor, *, types: Tensor | None = None, mask: Tensor | None = None
    ) -> Tensor:
        """The vector that questions about the whole input are answered from, ``(B, D)``."""

    def next_sentence(self, hidden: Tensor) -> Tensor:
        """``(B, 2)``: index 0 is "follows", 1 "does not"."""


class Classifies(Protocol):
    """Abilities ``classify_text``, ``classify_pair``, ``classify_image``: numbers for labels."""

    def __call__(self, given: Tensor, **segments: Tensor) -> Tensor:
        """Logits ``(B, L)`` of ids ``(B, T)`` or pixels ``(B, C, height, width)``.

        One that takes pairs is told, as ``types`` ``(B, T)``, which segment a token is of.
        """


class Called:
    """A model by its abilities: as what it can be called, or an error that it cannot.

    Attributes:
        id: its name, for the message.
        model: the network.
    """

    id: str
    model: Any

    def as_scorer(self, ability: Ability) -> Scores:
        """It, as one that gives every word a number: for "next_token" or "masked_words".

        Raises:
            AbilityError: it does not.
        """
        return cast(Scores, self._able(ability))

    def as_writer(self) -> Continues:
        """It, as one that continues a text; errors as above."""
        return cast(Continues, self._able("next_token"))

    def as_translator(self, ability: Ability = "translate") -> Translates:
        """It, as one that writes a target to a source: by translating, or by mending a text."""
        return cast(Translates, self._able(ability))

    def as_both_ways(self) -> PredictsBothWays:
        """It, as one that predicts the words after and before; errors as above."""
        return cast(PredictsBothWays, self._able("both_ways"))

    def as_judge(self) -> JudgesPairs:
        """It, as one that judges whether a sentence follows another; errors as above."""
        return cast(JudgesPairs, self._able("sentence_pairs"))

    def as_classifier(self, ability: Ability) -> Classifies:
        """It, as one that sorts: for an ability that "classify" begins; errors as above."""
        return cast(Classifies, self._able(ability))

    def _able(self, ability: Ability) -> Any:
        require(self.id, self.model.abilities, ability)
        return self.model
