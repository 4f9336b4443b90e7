"""The catalogue of every visible tensor: name, shape, symbol, meaning, and the line that makes it.

It joins model, page and lesson: a site's name leads from a number on the screen
to the sentence that explains it and to the code that computed it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import UnknownSiteError
from core.language import N_, _
from core.models.topology import Topology

_ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class Site:
    """One visible tensor, for all layers at once.

    Attributes:
        pattern: its name, ``{i}`` for the number of the block.
        shape: its axes, without the batch.
        symbol: LaTeX.
        meaning: one plain sentence (translate with ``_`` when shown).
        module: the file that computes it, from the top of the project.
        tapped: the name at the tap call there; None for what is derived from other sites.
        part: the class there that holds the call, where more than one has a tap of that name;
            "norm" and "block" stand for the kind that the model has.
    """

    pattern: str
    shape: tuple[str, ...]
    symbol: str
    meaning: str
    module: str
    tapped: str | None
    part: str = ""

    def sentence(self) -> str:
        """The meaning in the learner's language."""
        return _(self.meaning)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Where a number is made: a file, a line in it, and the code that stands there."""

    path: str
    line: int
    code: str


_ATTENTION, _NORMS = "core/nn/attention.py", "core/nn/norms.py"
_FFN, _BLOCKS = "core/nn/feedforward.py", "core/nn/blocks.py"
_EMBED, _GPT, _BERT = "core/nn/embeddings.py", "core/models/gpt.py", "core/models/bert.py"
_TRACE = "core/tracing/trace.py"


def _norm_sites(prefix: str, symbol: str) -> tuple[Site, ...]:
    return (
        Site(f"{prefix}.mean", ("T", "1"), r"\mu", N_("The mean of each position's vector."), _NORMS, "mean"),
        Site(f"{prefix}.var", ("T", "1"), r"\sigma^2", N_("The variance of each position's vector around its mean."), _NORMS, "var"),
        Site(f"{prefix}.rms", ("T", "1"), r"\mathrm{rms}", N_("The root mean square of each position's vector."), _NORMS, "rms"),
        Site(f"{prefix}.normalized", ("T", "D"), r"\hat{x}", N_("The vector brought to one size: divided by its spread."), _NORMS, "normalized", "norm"),
        Site(f"{prefix}.out", ("T", "D"), symbol, N_("The normalised vector, scaled and shifted by what the model learned."), _NORMS, "out", "norm"),
    )  # fmt: skip


CATALOGUE: tuple[Site, ...] = (
    Site("embed.tokens", ("T", "D"), r"E_{x_t}", N_("The row of the token table that belongs to each token."), _EMBED, "tokens"),
    Site("embed.positions", ("T", "D"), r"P_t", N_("The row of the position table that belongs to each place."), _EMBED, "positions"),
    Site("embed.types", ("T", "D"), r"S_t", N_("The row that says whether a token is in the first or the second segment."), _EMBED, "types"),
    *_norm_sites("embed.ln", r"\mathrm{LN}(E+P+S)"),
    Site("blocks.{i}.resid_pre", ("T", "D"), r"x", N_("The residual stream as the block receives it."), _BLOCKS, "resid_pre", "block"),
    *_norm_sites("blocks.{i}.ln_1", r"\mathrm{LN}_1"),
    Site("blocks.{i}.attn.q", ("H", "Tq", "Dh"), r"q", N_("Queries: what each position looks for."), _ATTENTION, "q"),
    Site("blocks.{i}.attn.k", ("H", "Tk", "Dh"), r"k", N_("Keys: what each position offers to be found by."), _ATTENTION, "k"),
    Site("blocks.{i}.attn.v", ("H", "Tk", "Dh"), r"v", N_("Values: what each position hands over when it is attended to."), _ATTENTION, "v"),
    Site("blocks.{i}.attn.dots", ("H", "Tq", "Tk"), r"q \cdot k", N_("The dot product of each query with each key, before scaling."), _TRACE, None),
    Site("blocks.{i}.attn.scores", ("H", "Tq", "Tk"), r"\frac{q \cdot k}{\sqrt{d_\mathrm{head}}}", N_("The scaled dot products, before the mask."), _ATTENTION, "scores"),
    Site("blocks.{i}.attn.scores_masked", ("H", "Tq", "Tk"), r"\tilde{s}", N_("The scores with minus infinity where the mask forbids to look."), _TRACE, None),
    Site("blocks.{i}.attn.weights", ("H", "Tq", "Tk"), r"\alpha", N_("Attention weights: the softmax of each query's scores; a row sums to 1."), _ATTENTION, "weights"),
    Site("blocks.{i}.attn.z", ("H", "Tq", "Dh"), r"z", N_("The values mixed by the weights, head by head."), _ATTENTION, "z"),
    Site("blocks.{i}.attn.out", ("Tq", "D"), r"W_O\,z", N_("The heads side by side, mixed by the output matrix."), _ATTENTION, "out"),
    Site("blocks.{i}.resid_mid", ("T", "D"), r"x + \mathrm{Attn}", N_("The stream after the attention's update was added."), _BLOCKS, "resid_mid", "block"),
    *_norm_sites("blocks.{i}.ln_2", r"\mathrm{LN}_2"),
    Site("blocks.{i}.ffn.pre", ("T", "F"), r"h", N_("The hidden units of the feed-forward network before the non-linearity."), _FFN, "pre"),
    Site("blocks.{i}.ffn.gate", ("T", "F"), r"g", N_("What the hidden units are multiplied by in a gated network."), _FFN, "gate"),
    Site("blocks.{i}.ffn.post", ("T", "F"), r"\phi(h)", N_("The hidden units after the non-linearity."), _FFN, "post"),
    Site("blocks.{i}.ffn.out", ("T", "D"), r"W_2\,\phi(h)", N_("What the feed-forward network adds to the stream."), _FFN, "out"),
    Site("blocks.{i}.resid_post", ("T", "D"), r"x + \mathrm{FFN}", N_("The stream after the feed-forward update was added."), _BLOCKS, "resid_post", "block"),
    *_norm_sites("final_norm", r"\mathrm{LN}_f"),
    Site("logits", ("T", "V"), r"\ell", N_("One number for each vocabulary entry: the higher, the likelier as the next token."), _GPT, "logits"),
    Site("mlm.transform", ("T", "D"), r"t", N_("The position's vector made ready for the masked-word head."), _BERT, "transform"),
    *_norm_sites("mlm.ln", r"\mathrm{LN}(t)"),
    Site("mlm.logits", ("T", "V"), r"\ell", N_("One number for each vocabulary entry: the higher, the likelier at this place."), _BERT, "logits", "MaskedWordHead"),
    Site("pooler.out", ("D",), r"c", N_("The vector of [CLS], made ready for questions about the whole input."), _BERT, "out"),
    Site("nsp.logits", ("2",), r"n", N_("Two numbers: the second segment follows the first, or it does not."), _BERT, "logits", "BERT"),
)  # fmt: skip

# What the letters of the shapes stand for, in the order in which they are said.
_AXES = {
    "T": N_("T tokens, here {T}"),
    "Tq": N_("Tq queries, one a token, here {T}"),
    "Tk": N_("Tk keys, one a token, here {T}"),
    "D": N_("D = d_model = {D}"),
    "H": N_("H heads, here {H}"),
    "Dh": N_("Dh = D / H = {Dh}"),
    "F": N_("F hidden units, here {F}"),
    "V": N_("V vocabulary entries, here {V}"),
}

_BY_PATTERN = {site.pattern: site for site in CATALOGUE}


def pattern_of(name: str) -> str:
    """The name with ``{i}`` in place of the block's number."""
    return re.sub(r"(?<=blocks\.)\d+(?=\.)", "{i}", name)


def site(name: str) -> Site:
    """The catalogue's entry for a recorded name.

    Raises:
        UnknownSiteError: the catalogue has no such name.
    """
    found = _BY_PATTERN.get(pattern_of(name))
    if found is None:
        raise UnknownSiteError(name)
    return found


def axes(names: Sequence[str], sizes: Mapping[str, int]) -> str:
    """What each letter in the shapes of some sites stands for, those letters only.

    Args:
        names: of the sites.
        sizes: of the run and its model: T, D, H, F and V.

    Raises:
        UnknownSiteError: the catalogue has no such name.
    """
    found = {letter for name in names for letter in site(name).shape}
    if "Dh" in found:
        found |= {"D", "H"}  # which it is said by
    every = {**sizes, "Dh": sizes["D"] // sizes["H"]}
    numbers = {letter: f"{size:,}" for letter, size in every.items()}
    return " · ".join(
        _(said).format(**numbers) for letter, said in _AXES.items() if letter in found
    )


def recorded_sites(topology: Topology) -> tuple[str, ...]:
    """The names that a full trace of such a model holds, in the order of computation."""
    norm = ("rms",) if topology.norm == "rms" else ("mean", "var")
    around_norm = (*norm, "normalized", "out")
    names = [f"embed.{table}" for table in topology.embeddings]
    if topology.embed_norm:
        names += [f"embed.ln.{part}" for part in around_norm]
    attention = [f"attn.{part}" for part in ("q", "k", "v", "scores", "weights", "z", "out")]
    ffn = [f"ffn.{part}" for part in ("pre", *(("gate",) if topology.gated else ()), "post", "out")]
    ln_1, ln_2 = ([f"ln_{n}.{part}" for part in around_norm] for n in (1, 2))
    block = (
        ["resid_pre", *ln_1, *attention, "resid_mid", *ln_2, *ffn, "resid_post"]
        if topology.arrangement == "pre"
        else ["resid_pre", *attention, "resid_mid", *ln_1, *ffn, "resid_post", *ln_2]
    )
    for i in range(topology.n_layers):
        names += [f"blocks.{i}.{name}" for name in block]
    if topology.final_norm:
        names += [f"final_norm.{part}" for part in around_norm]
    if topology.head == "next_token":
        names.append("logits")
    else:
        names += ["mlm.transform", *(f"mlm.ln.{part}" for part in around_norm), "mlm.logits"]
    if topology.next_sentence:
        names += ["pooler.out", "nsp.logits"]
    return tuple(names)


@lru_cache(maxsize=64)
def _tap_lines(module: str) -> dict[tuple[str, str], SourceLine]:
    """What every tap of a file is given, by class and name.

    Under the empty class stands each name's first tap in the file.
    """
    text = (_ROOT / module).read_text(encoding="utf-8")
    found: dict[tuple[str, str], SourceLine] = {}
    for part in ast.parse(text).body:
        for function in ast.walk(part):
            for call in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
                match call:
                    case ast.Call(args=[ast.Constant(value=str(name)), _]) if _is_tap(call.func):
                        made = _maker(function, call)
                        code = re.sub(r"\s+", " ", ast.get_source_segment(text, made) or "")
                        line = SourceLine(module, made.lineno, code)
                        found.setdefault(("", name), line)
                        found.setdefault((getattr(part, "name", ""), name), line)
    return found


def _maker(function: ast.AST, call: ast.Call) -> ast.Assign | ast.Call:
    """The first assignment to the variable that a tap is given; the call if it makes the value."""
    value = call.args[1]
    if not isinstance(value, ast.Name):
        return call
    assignments = [
        statement
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign)
        and statement.lineno < call.lineno
        and value.id
        in {node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name)}
    ]
    return min(assignments, key=lambda statement: statement.lineno, default=call)


@lru_cache(maxsize=8)
def _derivation_lines(module: str) -> dict[str, SourceLine]:
    """What each function of a file returns, under its name without the leading underscore."""
    text = (_ROOT / module).read_text(encoding="utf-8")
    return {
        function.name.removeprefix("_"): SourceLine(
            module, last.lineno, ast.get_source_segment(text, last) or ""
        )
        for function in ast.parse(text).body
        if isinstance(function, ast.FunctionDef)
        and isinstance(last := function.body[-1], ast.Return)
    }


def _is_tap(function: ast.expr) -> bool:
    """``tap(...)`` or ``tap.at(...)(...)``."""
    if isinstance(function, ast.Call) and isinstance(function.func, ast.Attribute):
        function = function.func.value
    return isinstance(function, ast.Name) and function.id == "tap"


def source_line(name: str, topology: Topology | None = None) -> SourceLine:
    """The line of code that computed a site.

    Args:
        name: of the site.
        topology: of the model; without one it is taken for pre-norm, with LayerNorm.

    Raises:
        UnknownSiteError: the catalogue has no such name.
    """
    found = site(name)
    if found.tapped is None:
        return _derivation_lines(found.module)[name.rsplit(".", 1)[-1]]
    rms = topology is not None and topology.norm == "rms"
    post = topology is not None and topology.arrangement == "post"
    kinds = {
        "norm": "RMSNorm" if rms else "LayerNorm",
        "block": "PostNormBlock" if post else "PreNormBlock",
    }
    return _tap_lines(found.module)[kinds.get(found.part, found.part), found.tapped]
