"""ELMo: two language models, one forwards and one backwards, whose states are word vectors.

Peters et al. 2018 ("Deep contextualized word representations", arXiv:1802.05365). Each word is
read by its letters. LSTM layers read the words forwards and predict the next one, others read
them backwards and predict the one before; what both say at a word, side by side, is its vector in
this sentence. Letters and output words are shared by both directions, the layers are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from core.encoders import Encoders
from core.errors import ConfigError, InputTooLongError
from core.inputs import ONE_TEXT, Input
from core.language import N_
from core.models.abilities import Ability
from core.models.blueprint import ONE_STREAM, Blueprint, Embedding, Head, Recurrence
from core.models.limits import check_sizes
from core.models.prepared import Prepared, batched, read
from core.nn.recurrent import LSTM, Bidirectional
from core.nn.spelling import LETTERS, SpeltWords
from core.tracing.sites import Site, declared, within
from core.tracing.tap import NO_TAP, Tap


@dataclass(frozen=True, slots=True)
class ELMoConfig:
    """The sizes of an ELMo.

    Attributes:
        vocab_size: V, words that can be predicted; it reads all others, too.
        n_ctx: the longest text it takes, in words; its layers know no limit.
        n_letters: rows of the table of characters.
        d_letter: width of such a row.
        filters: how many filters look at 1, 2, 3, ... characters at a time.
        d_model: D, width of a word's vector and of a state in each direction.
        n_layers: LSTM layers in each direction.
    """

    vocab_size: int
    n_ctx: int
    n_letters: int
    d_letter: int
    filters: tuple[int, ...]
    d_model: int
    n_layers: int = 2

    def __post_init__(self) -> None:
        check_sizes(self, "vocab_size", "n_ctx", "n_letters", "d_letter", "d_model", "n_layers")
        if not self.filters or min(self.filters) < 1:
            raise ConfigError("filters", N_("must be at least 1"))


class BidirectionalLayers(Bidirectional):
    """Two layers, forwards and backwards, each on top of its own: neither reads the other.

    Peters et al. 2018, sections 3.1 and 3.4: what a word's prediction is made from must not have
    seen it, and a residual connection leads from the first layer to the second.

    Args:
        d_model: width of what each reads and of its state.
        residual: what they read is added to what they say.
    """

    def __init__(self, d_model: int, *, residual: bool) -> None:
        super().__init__(d_model, d_model, LSTM)
        self.residual = residual

    def hand_on(self, x: Tensor, real: Tensor | None = None, tap: Tap = NO_TAP) -> Tensor:
        """From both sides of a layer below ``(B, T, 2 D)`` to theirs; ``real`` as of ``read``."""
        ahead, back = x.chunk(2, -1)
        addition = self.read(ahead, real, tap, backwards=back)
        return tap("out", x + addition if self.residual else addition)

    def sites(self, width: str = "D") -> Iterator[Site]:
        """What it taps, in the order of computation."""
        yield from super().sites(width)
        meaning = N_("A layer of a word's vector in this sentence: what the forward layer says "
                     "there, then what the backward layer says. From the second layer on the "
                     "layer below is added.")  # fmt: skip
        yield from declared(type(self), Site("out", ("T", f"2{width}"), r"h^{LM}_{t,j}", meaning))


class ELMo(nn.Module):
    """``forward`` gives logits ``(B, T, V)`` of the word after each, and of the word before each.

    Args:
        config: its sizes.
        generator: draws the initial weights; without one they come from the
            global state of torch.
    """

    abilities: frozenset[Ability] = frozenset({"both_ways"})
    takes = ONE_TEXT

    def __init__(self, config: ELMoConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        d = config.d_model
        self.embed = SpeltWords(config.n_letters, config.d_letter, config.filters, d)
        self.rnn = nn.ModuleList(
            BidirectionalLayers(d, residual=i > 0) for i in range(config.n_layers)
        )
        self.words = nn.Linear(d, config.vocab_size)
        if not self.words.weight.is_meta:
            self._init_weights(generator)

    @torch.no_grad()
    def _init_weights(self, generator: torch.Generator | None) -> None:
        """Matrices by Glorot & Bengio, of states orthogonal; tables from N(0, 1 / width).

        A highway starts by letting pass what it is given (Srivastava et al. 2015), a cell by
        keeping what it has (Jozefowicz et al. 2015).
        """
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight, generator=generator)
                module.bias.zero_()
        for table in (self.embed.letters.weight, self.words.weight):
            table.normal_(0.0, table.shape[1] ** -0.5, generator=generator)
        self.embed.highway.w_gate.bias.fill_(-2.0)
        for module in self.modules():
            if isinstance(module, LSTM):
                for part in module.w_h.weight.chunk(4):
                    nn.init.orthogonal_(part, generator=generator)
                module.w_h.bias.chunk(4)[1].fill_(1.0)

    @property
    def blueprint(self) -> Blueprint:
        """The parts in order."""
        config = self.config
        vectors = ("twice", *(f"rnn.{i}.out" for i in range(config.n_layers)))
        spelt = Embedding(
            prefix="embed", stream=ONE_STREAM, tables=("tokens",), positions=None,
            learned_from=None, norm=None, scaled=False, table="embed.letters.weight",
            units="words", d_model=config.d_model,
        )  # fmt: skip
        layers = Recurrence(
            "layers", "rnn", ONE_STREAM, "lstm", config.n_layers, ("forward", "backward"),
            config.d_model, handed_on=vectors, summed_from=1,
        )  # fmt: skip
        heads = (
            Head("both_ways", site, ONE_STREAM, reads=vectors[-1])
            for site in ("logits", "logits_before")
        )
        return Blueprint((spelt, layers, *heads))

    def sites(self) -> Iterator[Site]:
        """Every value that a run shows, in the order of computation."""
        twice, logits, before = declared(
            type(self),
            Site("twice", ("T", "2D"), r"h^{LM}_{t,0}", N_(
                "Layer 0 of a word's vector: what its letters say, once for each direction.")),
            Site("logits", ("T", "V"), r"\overrightarrow{\ell}", N_(
                "The logits: one number for each vocabulary entry. The higher it is, the more "
                "likely the forward layers find this entry as the next word.")),
            Site("logits_before", ("T", "V"), r"\overleftarrow{\ell}", N_(
                "The logits of the backward layers: the higher, the more likely they find this "
                "entry as the word before.")),
        )  # fmt: skip
        yield from within("embed", self.embed.sites(), letters=LETTERS)
        yield twice
        for i, layer in enumerate(self.rnn):
            assert isinstance(layer, BidirectionalLayers)
            yield from within(f"rnn.{i}", layer.sites())
        yield logits
        yield before

    def prepare(self, given: Input, encoders: Encoders) -> Prepared:
        """What a run on an input computes with: the letters of each word.

        Raises:
            EmptyInputError, NoRoomError, InputTooLongError, ParameterError: see ``Row.check``.
        """
        assert encoders.spelling is not None  # a model that spells words out has this encoder
        rows = []
        for row in read(given, encoders, self.config.n_ctx, self.config.vocab_size):
            units = row.stream.tokens
            letters = torch.from_numpy(encoders.spelling.read(units))
            rows.append({ONE_STREAM: replace(row, letters=letters)})
        return batched(rows, (), pad_id=0, device=self.words.weight.device)

    def observe(self, prepared: Prepared, tap: Tap) -> None:
        """One run of both language models."""
        self(prepared.tensors[ONE_STREAM], real=real_words(prepared), tap=tap)

    def forward(
        self, letters: Tensor, *, real: Tensor | None = None, tap: Tap = NO_TAP
    ) -> tuple[Tensor, Tensor]:
        """Logits of the word after each, and of the word before each, ``(B, T, V)`` both.

        Args:
            letters: rows of each word's characters, 0 on padding, ``(B, T, W)``.
            real: bool ``(B, T)``, False on padding.

        Raises:
            InputTooLongError: more words than the context holds.
        """
        n = letters.shape[1]
        if n > self.config.n_ctx:
            raise InputTooLongError(self.config.n_ctx, n)
        x = self.embed(letters, tap.at("embed"))
        ahead, back = self.read(x, real, tap)[-1].chunk(2, -1)
        return tap("logits", self.words(ahead)), tap("logits_before", self.words(back))

    def read(self, x: Tensor, real: Tensor | None = None, tap: Tap = NO_TAP) -> list[Tensor]:
        """All layers of the words' vectors in their context, ``(B, T, 2 D)`` each.

        Peters et al. 2018, section 3.2, the R_k: first what the letters say, twice, then what each
        pair of layers says, forwards and backwards side by side, with a residual connection
        between them (section 3.4). ``core.nn.mix`` makes one vector of them.

        Args:
            x: the words' vectors without context, ``(B, T, D)``.
            real: bool ``(B, T)``, False on padding.
        """
        real = None if real is None else real.to(x.device)
        layers = [tap("twice", torch.cat([x, x], dim=-1))]
        for i, layer in enumerate(self.rnn):
            assert isinstance(layer, BidirectionalLayers)
            layers.append(layer.hand_on(layers[-1], real, tap.at("rnn", i)))
        return layers


def real_words(prepared: Prepared) -> Tensor | None:
    """Where words stand and no padding, ``(B, T)``; None where there is none."""
    n = prepared.tensors[ONE_STREAM].shape[1]
    streams = [row[ONE_STREAM] for row in prepared.streams]
    lengths = torch.tensor([len(stream.units) - stream.n_padding for stream in streams])
    return None if (lengths == n).all() else torch.arange(n) < lengths[:, None]
