"""Multi-head attention with something between the projections and the dot products."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from torch import Tensor, nn

from core.nn.attention import KeysValues, MultiHeadAttention
from core.nn.norms import LayerNorm
from core.shaped.depthwise import CausalDepthwise
from core.tracing.sites import Site, within
from core.tracing.tap import NO_TAP, Tap


class ShapedAttention(MultiHeadAttention):
    """Self-attention whose queries and keys may be normalised, and convolved with those before.

    - ``qk_norm``: LayerNorm over each head's query and key, gain and shift shared by the heads
      (Dehghani et al. 2023, "Scaling Vision Transformers to 22 Billion Parameters", section 2;
      the idea is that of Henry et al. 2020). However large the vectors, scores stay bounded.
    - ``dconv``: a causal depthwise convolution of width 3 over each head's queries, keys and
      values (So et al. 2021, "Primer", section 4.1: multi-dconv-head attention).

    With both, the convolution comes first. With neither it is ``MultiHeadAttention``. A convolution
    reads positions before its own, so that a cache of keys and values is not enough to go on from.

    Args:
        d_model: width of the stream.
        n_heads: H; divides d_model.
        qk_norm, dconv: what stands between.
        scaled: dot products are divided by sqrt(d_head).
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        *,
        qk_norm: bool = False,
        dconv: bool = False,
        scaled: bool = True,
    ) -> None:
        super().__init__(d_model, n_heads, scaled=scaled)
        self.ln_q = LayerNorm(self.d_head) if qk_norm else None
        self.ln_k = LayerNorm(self.d_head) if qk_norm else None
        self.conv_q, self.conv_k, self.conv_v = (
            CausalDepthwise(n_heads, self.d_head) if dconv else None for _ in range(3)
        )

    def queries(self, x: Tensor, tap: Tap = NO_TAP) -> Tensor:
        """Queries of what attends, ``(B, Tq, D) -> (B, H, Tq, Dh)``."""
        return tap("q", _through(self._heads(self.w_q(x)), self.conv_q, self.ln_q, tap, "q"))

    def keys_values(self, source: Tensor, tap: Tap = NO_TAP) -> KeysValues:
        """Keys and values of what is attended to, ``(B, Tk, D)``."""
        k = tap("k", _through(self._heads(self.w_k(source)), self.conv_k, self.ln_k, tap, "k"))
        v = tap("v", _through(self._heads(self.w_v(source)), self.conv_v, None, tap, "v"))
        return KeysValues(k, v)

    def sites(self, *, biased: bool = False) -> tuple[Site, ...]:
        """What it taps, in the order of computation."""
        sites: list[Site] = []
        for site in super().sites(biased=biased):
            for between in (f"conv_{site.name}", f"ln_{site.name}"):
                layer = getattr(self, between, None)
                if isinstance(layer, CausalDepthwise):
                    sites += within(between, layer.sites())
                elif isinstance(layer, LayerNorm):
                    sites += within(between, _of_heads(layer, site.name))
            sites.append(site)
        return tuple(sites)


def _through(
    x: Tensor, conv: nn.Module | None, norm: nn.Module | None, tap: Tap, name: str
) -> Tensor:
    """What stands between one of the three projections and its use."""
    if conv is not None:
        x = conv(x, tap.at(f"conv_{name}"))
    return x if norm is None else norm(x, tap.at(f"ln_{name}"))


def _of_heads(norm: LayerNorm, name: str) -> Iterator[Site]:
    """A norm's sites with an axis of heads, and one of each head's components."""
    for site in norm.sites(rf"\mathrm{{LN}}({name})"):
        last = "Dh" if site.axes[-1] == "D" else site.axes[-1]
        yield replace(site, axes=("H", *site.axes[:-1], last))
