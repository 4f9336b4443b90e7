"""What a blueprint says of modules, read off the modules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from torch import nn

from core.models.blueprint import Embedding, Norm, NormKind, Stack
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.embeddings import Embeddings
from core.nn.feedforward import ACTIVATIONS, GatedFeedForward
from core.nn.norms import LayerNorm, RMSNorm


def stack_of(
    blocks: Iterable[nn.Module],
    name: str,
    stream: str,
    *,
    prefix: str = "",
    causal: bool,
    cross: str | None = None,
    positions: Literal["relative"] | None = None,
) -> Stack:
    """Blocks of one kind and size, one on top of the other.

    Args:
        blocks: from the first to the last.
        name, stream, causal, cross, positions: see ``Stack``.
        prefix: of the blocks' sites; the name when empty.
    """
    first, *others = blocks
    assert isinstance(first, PreNormBlock | PostNormBlock)
    attn, ffn = first.attn, first.ffn
    activation = next(key for key, phi in ACTIVATIONS.items() if phi is ffn.activation)
    return Stack(
        name=name,
        prefix=prefix or name,
        stream=stream,
        n_layers=1 + len(others),
        d_model=ffn.w_1.in_features,
        n_heads=attn.n_heads,
        d_head=attn.d_head,
        d_ff=ffn.w_1.out_features,
        norm=_kind(first.ln_1),
        eps=first.ln_1.eps,
        arrangement="pre" if isinstance(first, PreNormBlock) else "post",
        activation=activation,
        gated=isinstance(ffn, GatedFeedForward),
        causal=causal,
        cross=cross,
        positions=positions,
        scaled=attn.scaled,
        biases=attn.w_q.bias is not None,
    )


def norm_of(module: LayerNorm | RMSNorm, prefix: str, stream: str, reads: str) -> Norm:
    """A norm that stands by itself; arguments as in ``Norm``."""
    return Norm(prefix, stream, _kind(module), reads=reads, eps=module.eps)


def embedding_of(
    module: Embeddings,
    prefix: str,
    stream: str,
    *,
    table: str = "embed.tokens.weight",
    from_sinusoids: bool = False,
) -> Embedding:
    """Tables whose rows are added up.

    Args:
        module: that adds them.
        prefix, stream, table: see ``Embedding``.
        from_sinusoids: the rows of positions were sinusoids before training, not random.
    """
    learned = isinstance(module.positions, nn.Embedding)
    return Embedding(
        prefix=prefix,
        stream=stream,
        tables=("tokens", "positions", *(() if module.types is None else ("types",))),
        positions="learned" if learned else "sinusoidal",
        learned_from=("sinusoids" if from_sinusoids else "random") if learned else None,
        norm=None if module.ln is None else _kind(module.ln),
        scaled=module.scale is not None,
        table=table,
        eps=0.0 if module.ln is None else module.ln.eps,
    )


def _kind(norm: LayerNorm | RMSNorm) -> NormKind:
    return "rms" if isinstance(norm, RMSNorm) else "layer"
