"""Every fault once: what it is called, where it can be, what it changes, what gives it away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.faults import changes
from core.faults.changes import Changes
from core.language import N_
from core.models.blueprint import Attention, Blueprint


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; all words are translated with ``_`` where they are shown.

    Attributes:
        id: stable, in links.
        name: what it is.
        shows: what gives it away.
        right, wrong: the line of code as it should be, and as it is.
        applies: whether a model has the part that breaks.
        changes: from its blueprint and the number of a draw to the sites of one run.
        mask: from an attention and its mask ``(Tq, Tk)`` to the wrong one; None where it is right.
        padded: the text is filled up with padding, which the mask should hide and does not.
    """

    id: str
    name: str
    shows: str
    right: str
    wrong: str
    applies: Callable[[Blueprint], bool]
    changes: Callable[[Blueprint, int], Changes] = changes.nothing
    mask: Callable[[Attention, Any], Any] | None = None
    padded: bool = False


def _attends(blueprint: Blueprint) -> bool:
    return bool(blueprint.attentions)


def _causal(blueprint: Blueprint) -> bool:
    return any(attention.causal for attention in blueprint.attentions)


def _heads(blueprint: Blueprint) -> bool:
    return any((attention.n_heads or 1) > 1 for attention in blueprint.attentions)


def _layer_norm(blueprint: Blueprint) -> bool:
    return any(changes.norms(blueprint))


def _swappable(blueprint: Blueprint) -> bool:
    return any(attention.square and attention.bias is None for attention in blueprint.attentions)


def _biased(blueprint: Blueprint) -> bool:
    return any(attention.bias for attention in blueprint.attentions)


def _tables(blueprint: Blueprint) -> bool:
    return any("positions" in embedding.tables for embedding in blueprint.embeddings)


def _everything(attention: Attention, mask: Any) -> Any:
    return mask.new_ones(mask.shape) if attention.causal else mask


def _one_ahead(attention: Attention, mask: Any) -> Any:
    return mask.new_ones(mask.shape).tril(1) if attention.causal else mask


def _padded(blueprint: Blueprint) -> bool:
    single = len(blueprint.streams) == 1
    return single and any(not attention.causal for attention in blueprint.attentions)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "unscaled",
        N_("scores are not divided by √d_head"),
        N_("Most rows give nearly all attention to a single key, in every layer."),
        "scores = q @ k.mT / math.sqrt(d_head)",
        "scores = q @ k.mT",
        lambda blueprint: any(attention.scale is not None for attention in blueprint.attentions),
        changes.unscaled,
    ),
    Fault(
        "wrong_axis",
        N_("softmax over the queries"),
        N_("The rows of the attention weights do not add up to 1: the columns do."),
        "weights = scores.softmax(dim=-1)",
        "weights = scores.softmax(dim=-2)",
        _attends,
        changes.wrong_axis,
    ),
    Fault(
        "leak",
        N_("the causal mask is missing"),
        N_("Queries attend to later keys, as far as the end of the text."),
        "attend(q, k, v, causal=True)",
        "attend(q, k, v)",
        _causal,
        mask=_everything,
    ),
    Fault(
        "one_ahead",
        N_("the causal mask is off by one"),
        N_("Each query attends to one later key, and no further."),
        "mask = full.tril(0)",
        "mask = full.tril(1)",
        _causal,
        mask=_one_ahead,
    ),
    Fault(
        "swapped",
        N_("queries and keys are swapped"),
        N_("The patterns of the weights are turned: they read as if each token answered instead "
           "of asking."),
        "scores = q @ k.mT / math.sqrt(d_head)",
        "scores = k @ q.mT / math.sqrt(d_head)",
        _swappable,
        changes.swapped,
    ),
    Fault(
        "scrambled",
        N_("the heads are joined in the wrong order"),
        N_("In layer 0 the attention weights are right, and yet the guesses are wrong. Each token "
           "still gets what its own heads have read."),
        "w_o(torch.cat([z_0, z_1, z_2, …]))",
        "w_o(torch.cat([z_last, z_0, z_1, …]))",
        _heads,
        changes.scrambled,
    ),
    Fault(
        "not_transposed",
        N_("the heads are joined without a transpose"),
        N_("In layer 0 the attention weights are right, and yet the guesses are wrong. Each token "
           "gets what the heads have read for other tokens."),
        "w_o(z.transpose(1, 2).flatten(2))",
        "w_o(z.reshape(B, T, H * d_head))",
        _heads,
        changes.not_transposed,
    ),
    Fault(
        "no_positions",
        N_("positions are missing"),
        N_("With the first words in another order, the last token expects about the same."),
        "x = tokens + positions",
        "x = tokens",
        lambda blueprint: _tables(blueprint) or _biased(blueprint),
        changes.no_positions,
    ),
    Fault(
        "backwards",
        N_("positions are counted from the end"),
        N_("Heads that attend to the token before now attend elsewhere. A longer text changes the "
           "weights of its first tokens."),
        "positions = table[:T]",
        "positions = table[:T].flip(0)",
        _tables,
        changes.backwards,
    ),
    Fault(
        "too_large",
        N_("token rows are multiplied by √d_model once too often"),
        N_("It looks as if positions were missing, but the residual stream is far too large from "
           "layer 0 on."),
        "x = tokens + positions",
        "x = math.sqrt(d_model) * tokens + positions",
        _tables,
        changes.too_large,
    ),
    Fault(
        "no_residual",
        N_("the residual sums are missing"),
        N_("Layer 0 may make the residual vectors longer, but then they do not grow steadily: each "
           "part writes over the stream."),
        "x = x + attn(ln_1(x))",
        "x = attn(ln_1(x))",
        lambda blueprint: bool(blueprint.stacks),
        changes.no_residual,
    ),
    Fault(
        "no_gain",
        N_("LayerNorm without gain and shift"),
        N_("The predictions make no sense: each component counts as much as any other."),
        "return normalized * gain + shift",
        "return normalized",
        _layer_norm,
        changes.no_gain,
    ),
    Fault(
        "no_root",
        N_("LayerNorm divides by the variance"),
        N_("What a part reads has the wrong size: too large where the stream is small, too small "
           "where it is large."),
        "(x - mean) / torch.sqrt(var + eps)",
        "(x - mean) / (var + eps)",
        _layer_norm,
        changes.no_root,
    ),
    Fault(
        "linear",
        N_("the activation function is missing"),
        N_("Layer 0 attends as it should. After it the residual stream is too large or points "
           "elsewhere, since every hidden unit is active."),
        "w_2(gelu(w_1(x)))",
        "w_2(w_1(x))",
        lambda blueprint: any(not stack.gated for stack in blueprint.stacks),
        changes.linear,
    ),
    Fault(
        "dropped",
        N_("dropout is still on"),
        N_("The same text gives other numbers each time it is run."),
        "model.eval()",
        "model.train()",
        lambda blueprint: bool(blueprint.stacks),
        changes.dropped,
    ),
    Fault(
        "padding",
        N_("the padding mask is forgotten"),
        N_("Tokens attend to padding, so what a batch is filled up with changes the answer."),
        "mask = is_token[None, :]",
        "mask = None",
        _padded,
        padded=True,
    ),
)  # fmt: skip
BY_ID = {fault.id: fault for fault in FAULTS}
# From what one look at the weights shows to what only the code says.
LADDER = (
    "leak", "wrong_axis", "one_ahead", "unscaled", "no_residual", "dropped", "too_large", "linear",
    "no_positions", "no_root", "no_gain", "backwards", "swapped", "not_transposed", "scrambled",
)  # fmt: skip


def possible(blueprint: Blueprint) -> tuple[Fault, ...]:
    """The faults that a model can have."""
    return tuple(fault for fault in FAULTS if fault.applies(blueprint))


def hidden(blueprint: Blueprint) -> tuple[Fault, ...]:
    """Those that can be looked for, from plain to subtle: padding would say what is broken."""
    return tuple(BY_ID[fault_id] for fault_id in LADDER if BY_ID[fault_id].applies(blueprint))
