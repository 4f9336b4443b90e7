"""The page table: every page of the app, once. Navigation, links and tests are made from it."""

from __future__ import annotations

from dataclasses import dataclass

from core.language import N_
from pages.parts.runs import can


@dataclass(frozen=True, slots=True)
class Row:
    """One page.

    Attributes:
        section: of the menu (translate with ``_``).
        file: the script, from ``pages/``.
        address: in the link; the home page's is empty.
        title: in the menu (translate with ``_``).
        parts: ids of the model's parts it shows (``core.figures.map``).
        needs: the ability a model must have for it (``core.figures.view.View.needs``).
        example: the text it opens on when the learner has none yet; empty for everybody's.
    """

    section: str
    file: str
    address: str
    title: str
    parts: tuple[str, ...] = ()
    needs: str = "any"
    example: str = ""


TABLE: tuple[Row, ...] = (
    Row("", "home.py", "", N_("Glassformer")),
    Row(
        N_("Text"),
        "text/tokenization.py",
        "tokenization",
        N_("Tokenization"),
        ("text", "tokens"),
        example="Aragorn told Frodo to mind Lothlorien",
    ),
    Row(
        N_("Text"),
        "text/positions.py",
        "positions",
        N_("Embeddings and position"),
        ("embeddings", "embed_norm"),
    ),
    Row(
        N_("Attention"),
        "attention/step_by_step.py",
        "attention",
        N_("Step by step"),
        ("qkv", "scores", "weights", "mix"),
    ),
    Row(N_("Attention"), "attention/all_heads.py", "heads", N_("All heads"), ("weights",)),
    Row(N_("Attention"), "attention/masks.py", "masks", N_("Masks"), ("mask",)),
    Row(
        N_("Inside a block"),
        "block/layernorm.py",
        "layernorm",
        N_("LayerNorm and residual"),
        ("norm_1", "add_1", "norm_2", "add_2", "final_norm", "embed_norm"),
    ),
    Row(
        N_("Inside a block"),
        "block/feedforward.py",
        "feed-forward",
        N_("Feed-forward"),
        ("ffn",),
    ),
    Row(
        N_("Predictions"),
        "predictions/next_token.py",
        "next-token",
        N_("Next token"),
        ("logits", "prediction"),
        needs="causal",
    ),
    Row(
        N_("Predictions"),
        "predictions/masked_word.py",
        "masked-word",
        N_("Masked word"),
        ("logits", "prediction"),
        needs="masked",
        example="The boy was the only son of the king",
    ),
    Row(N_("Models"), "shelf.py", "models", N_("On the shelf")),
)


def places(model: str) -> dict[str, str]:
    """Part id -> address of the first page that shows it, and shows it of this model if any does.

    Args:
        model: on the shelf.
    """
    found: dict[str, str] = {}
    for row in sorted(TABLE, key=lambda row: not can(model, row.needs)):
        for part in row.parts:
            found.setdefault(part, f"/{row.address}")
    return found
