"""Machines whose sizes have been published, as shapes, with what their authors say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.costs import LayerCosts, TransformerShape
from core.language import N_
from core.models.blueprint import DECODER, ENCODER


@dataclass(frozen=True, slots=True)
class Published:
    """One machine.

    Attributes:
        name: of it.
        machine: its shape.
        published: parameters, as its authors round them.
        source: where shape and data were published.
        data: what it was trained on (translate with ``_`` when shown).
    """

    name: str
    machine: TransformerShape
    published: float
    source: str
    data: str


def decoder(
    n_layers: int, d_model: int, n_heads: int, d_ff: int, vocabulary: int, n_ctx: int,
    *, final_norm: bool = True,
) -> TransformerShape:  # fmt: skip
    """A machine in the form of GPT-2: it predicts the next token with its token table.

    Args:
        n_layers, d_model, n_heads, d_ff, vocabulary, n_ctx: its sizes.
        final_norm: GPT, which came before it, had none after the last layer.
    """
    return TransformerShape(
        d_model, n_heads, d_model // n_heads, d_ff, n_ctx,
        layers=(LayerCosts(n_layers, final_norm=final_norm),),
        tables=(("tokens", vocabulary), ("positions", n_ctx)),
    )  # fmt: skip


def encoder(
    n_layers: int, d_model: int, n_heads: int, d_ff: int, vocabulary: int, n_ctx: int
) -> TransformerShape:
    """A machine in the form of BERT, with the matrix that prepares [CLS] and no other head."""
    return TransformerShape(
        d_model, n_heads, d_model // n_heads, d_ff, n_ctx,
        layers=(LayerCosts(n_layers),),
        tables=(("tokens", vocabulary), ("positions", n_ctx), ("types", 2)),
        embed_norms=1, heads=("pooler",), writes=False,
    )  # fmt: skip


def both(
    n_layers: int, d_model: int, n_heads: int, d_ff: int, vocabulary: int, n_ctx: int,
    *, d_head: int = 0,
) -> TransformerShape:  # fmt: skip
    """A machine in the form of T5: as many layers in the encoder as in the decoder.

    Args:
        n_layers, d_model, n_heads, d_ff, vocabulary, n_ctx: its sizes.
        d_head: width of a head; d_model / n_heads when 0.
    """
    sides = (LayerCosts(n_layers, ENCODER, final_norm=True),
             LayerCosts(n_layers, DECODER, cross=True, final_norm=True))  # fmt: skip
    return TransformerShape(
        d_model, n_heads, d_head or d_model // n_heads, d_ff, n_ctx, layers=sides,
        tables=(("tokens", vocabulary),), rms=True, biases=False, buckets=32,
    )  # fmt: skip


def picture(
    n_layers: int, d_model: int, n_heads: int, d_ff: int, n_ctx: int, patch: int,
    labels: int = 1000,
) -> TransformerShape:  # fmt: skip
    """A Vision Transformer for pictures of three colours.

    Args:
        n_layers, d_model, n_heads, d_ff: its sizes.
        n_ctx: patches of a picture, and [CLS].
        patch: rows of pixels of a patch.
        labels: that it chooses among.
    """
    return TransformerShape(
        d_model, n_heads, d_model // n_heads, d_ff, n_ctx,
        layers=(LayerCosts(n_layers, final_norm=True),),
        tables=(("cls", 1), ("positions", n_ctx)), patch=3 * patch * patch,
        heads=("labels",), labels=labels, writes=False,
    )  # fmt: skip


_BERT_DATA = N_("BooksCorpus and English Wikipedia, 3.3 billion words")
_VIT_DATA = N_("pictures: ImageNet-21k, 14 million, or JFT, 303 million")
PUBLISHED: Mapping[str, Published] = {
    "gpt1": Published(
        "GPT", decoder(12, 768, 12, 3072, 40_478, 512, final_norm=False), 117e6,
        "Radford et al. 2018", N_("BooksCorpus, about 7,000 books"),
    ),
    "bert_base": Published(
        "BERT base", encoder(12, 768, 12, 3072, 30_522, 512), 110e6, "Devlin et al. 2018",
        _BERT_DATA,
    ),
    "bert_large": Published(
        "BERT large", encoder(24, 1024, 16, 4096, 30_522, 512), 340e6, "Devlin et al. 2018",
        _BERT_DATA,
    ),
    "gpt2": Published(
        "GPT-2", decoder(48, 1600, 25, 6400, 50_257, 1024), 1.5e9, "Radford et al. 2019",
        N_("WebText, 40 GB of text"),
    ),
    "t5_11b": Published(
        "T5-11B", both(24, 1024, 128, 65_536, 32_128, 512, d_head=128), 11e9,
        "Raffel et al. 2019", N_("C4, 750 GB of text"),
    ),
    "gpt3": Published(
        "GPT-3", decoder(96, 12_288, 96, 49_152, 50_257, 2048), 175e9, "Brown et al. 2020",
        N_("300 billion tokens"),
    ),
    "vit_b": Published(
        "ViT-B/16", picture(12, 768, 12, 3072, 197, 16), 86e6, "Dosovitskiy et al. 2020", _VIT_DATA
    ),
    "vit_l": Published(
        "ViT-L/16", picture(24, 1024, 16, 4096, 197, 16), 307e6, "Dosovitskiy et al. 2020",
        _VIT_DATA,
    ),
    "vit_h": Published(
        "ViT-H/14", picture(32, 1280, 16, 5120, 257, 14), 632e6, "Dosovitskiy et al. 2020",
        _VIT_DATA,
    ),
}  # fmt: skip
GPT_FAMILY = ("gpt1", "gpt2", "gpt3")
