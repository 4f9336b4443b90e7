"""How many numbers a model learns, worked out from its shape."""

from __future__ import annotations

from dataclasses import dataclass

from core.language import N_


@dataclass(frozen=True, slots=True)
class Shape:
    """The published shape of a decoder-only model.

    Attributes:
        name: of the model.
        n_layers, d_model, vocab_size, n_ctx: its sizes; d_ff is 4 · d_model.
        final_norm: a norm stands after the last block (GPT-2 and later).
        data: what it was trained on (translate with ``_`` when shown).
        source: where shape and data were published.
    """

    name: str
    n_layers: int
    d_model: int
    vocab_size: int
    n_ctx: int
    final_norm: bool
    data: str
    source: str


GPT_FAMILY = (
    Shape("GPT", 12, 768, 40_478, 512, final_norm=False,
          data=N_("BooksCorpus, about 7,000 books"), source="Radford et al. 2018"),
    Shape("GPT-2", 48, 1600, 50_257, 1024, final_norm=True,
          data=N_("WebText, 40 GB of text"), source="Radford et al. 2019"),
    Shape("GPT-3", 96, 12_288, 50_257, 2048, final_norm=True,
          data=N_("300 billion tokens"), source="Brown et al. 2020"),
)  # fmt: skip


def gpt_parameters(shape: Shape) -> int:
    """Parameters of a GPT with biases and a tied output matrix.

    A block has 4 d² + 4 d for attention, 8 d² + 5 d for the feed-forward
    network and 4 d for two norms; the tables have (V + n_ctx) d.
    """
    d = shape.d_model
    block = 12 * d * d + 13 * d
    tables = (shape.vocab_size + shape.n_ctx) * d
    return shape.n_layers * block + tables + (2 * d if shape.final_norm else 0)
