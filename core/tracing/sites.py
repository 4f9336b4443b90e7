"""The catalogue of every visible tensor: name, axes, symbol, meaning, and the line that makes it.

A layer says once, in its class, what it taps (``sites()``); its parent puts its
own name in front and says which streams it joins. So a model's catalogue is
made of its layers', and a new model brings none. It joins model, page and
lesson: a site's name leads from a number on the screen to the sentence that
explains it and to the code that computed it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from inspect import unwrap
from types import CodeType, FunctionType
from typing import Protocol

from core.errors import UnknownSiteError
from core.language import N_, _
from core.locale import grouped, listed

ONE_STREAM = "tokens"  # what the stream of a model with a single one is called
# Those of a model with an encoder and a decoder (translate with ``_`` where they are shown).
SOURCE, TARGET = N_("source"), N_("target")


@dataclass(frozen=True, slots=True)
class Site:
    """One visible tensor.

    Attributes:
        name: dotted; within its layer until the parents' names stand in front.
        axes: without the batch: "T" positions ("Tq" of queries, "Tk" of keys), "H" heads,
            "Dh" d_head, "D" d_model, "2D" two of them, "F" d_ff, "V" vocabulary, a number, or a
            letter of the layer's own.
        symbol: LaTeX.
        meaning: one plain sentence (translate with ``_`` when shown).
        path: the file that computes it, from the top of the project.
        part: the class there whose tap it is; of a derived site the function that makes it.
        tapped: the name at the tap; None for a site that is derived from others when asked for.
        queries, keys: the streams that axes T or Tq, and Tk, run over.
        letters: what those of the layer's own stand for (translate with ``_`` when shown).
    """

    name: str
    axes: tuple[str, ...]
    symbol: str
    meaning: str
    path: str = ""
    part: str = ""
    tapped: str | None = None
    queries: str = ONE_STREAM
    keys: str = ONE_STREAM
    letters: tuple[tuple[str, str], ...] = ()

    @property
    def derived(self) -> bool:
        """Made from other sites when it is asked for, not recorded."""
        return self.tapped is None

    @property
    def pattern(self) -> str:
        """The name with ``{i}`` in place of a block's number."""
        return re.sub(r"(?<=\.)\d+(?=\.)", "{i}", self.name)

    def stream(self, axis: str) -> str | None:
        """The stream that an axis runs over; None for an axis that is not positions."""
        return {"T": self.queries, "Tq": self.queries, "Tk": self.keys}.get(axis)

    def sentence(self) -> str:
        """The meaning in the learner's language."""
        return _(self.meaning)


Catalogue = Mapping[str, Site]


class HasSites(Protocol):
    """A layer or model that says what it taps."""

    def sites(self) -> Iterable[Site]: ...


def declared(
    layer: type, *sites: Site, letters: Mapping[str, str] | None = None
) -> tuple[Site, ...]:
    """The sites that a class taps, itself or as a heir, under the names at the taps.

    A site that names its part already is tapped by that function of the class's file, or derived.

    Args:
        layer: the class.
        sites: its own.
        letters: what letters in their shapes stand for that no other layer has.
    """
    own_letters = tuple((letters or {}).items())
    return tuple(
        replace(site if site.path else _placed(layer, site), letters=own_letters) for site in sites
    )


def _placed(layer: type, site: Site) -> Site:
    """A site with the file, and the class or function there, whose tap it is."""
    where, part = layer, site.part or layer.__name__
    for parent in layer.__mro__:
        if _taps(parent, site.name):
            where, part = parent, parent.__name__
            break
        function = getattr(sys.modules[parent.__module__], site.part, None) if site.part else None
        if function is not None and function.__module__ == parent.__module__:  # not one it imports
            where = parent
            break
    path = where.__module__.replace(".", "/") + ".py"
    return replace(site, path=path, part=part, tapped=site.name)


@lru_cache(maxsize=1024)
def _taps(layer: type, name: str) -> bool:
    """Whether a method that a class does not inherit taps a value of that name.

    Its code says so: it knows a tap, and the name. So no file is read before a line is shown.
    """
    methods = (
        unwrap(method) for method in vars(layer).values() if isinstance(method, FunctionType)
    )
    return any(
        name in code.co_consts and "tap" in (*code.co_varnames, *code.co_freevars)
        for method in methods
        for code in _codes(method.__code__)
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def derived(name: str, axes: tuple[str, ...], symbol: str, meaning: str) -> Site:
    """A site that ``core/tracing/derived.py`` makes from others, by the function of its name."""
    return Site(name, axes, symbol, meaning, path="core/tracing/derived.py", part=name)


def within(
    prefix: str,
    sites: Iterable[Site],
    *,
    queries: str | None = None,
    keys: str | None = None,
    letters: Mapping[str, str] | None = None,
) -> Iterator[Site]:
    """The sites of a part, as its parent names them.

    Args:
        prefix: where the part stands: "blocks.3", "attn".
        sites: of the part.
        queries, keys: the streams it joins, where the parent knows them.
        letters: what letters that the parent gave it for its shapes stand for.
    """
    more = tuple((letters or {}).items())
    for site in sites:
        yield replace(
            site,
            name=f"{prefix}.{site.name}",
            queries=site.queries if queries is None else queries,
            keys=site.keys if keys is None else keys,
            letters=(*site.letters, *more),
        )


def catalogue_of(model: HasSites) -> dict[str, Site]:
    """Every site of a model by its name, in the order of computation."""
    return {site.name: site for site in model.sites()}


def recorded(catalogue: Catalogue) -> tuple[str, ...]:
    """The names that a full trace holds, in the order of computation."""
    return tuple(name for name, site in catalogue.items() if not site.derived)


def find(catalogue: Catalogue, name: str) -> Site:
    """The catalogue's entry of that name.

    Raises:
        UnknownSiteError: it has none.
    """
    if name not in catalogue:
        raise UnknownSiteError.near_to(name, catalogue)
    return catalogue[name]


# What the letters of the shapes stand for, in the order in which they are said; letters of a
# layer's own come last.
_AXES = {
    "T": N_("T positions, here {T}"),
    "Tq": N_("Tq queries, one per position, here {T}"),
    "Tk": N_("Tk keys, one per position, here {T}"),
    "D": N_("D = d_model = {D}"),
    "2D": N_("2D = two such vectors side by side = {2D}"),
    "H": N_("H heads, here {H}"),
    "Dh": N_("Dh numbers per head, here {Dh}"),
    "F": N_("F hidden units, here {F}"),
    "V": N_("V vocabulary entries, here {V}"),
}
_SHARE = N_("Dh = D / H = {Dh}")  # a head's share of D


def axes(sites: Sequence[Site], sizes: Mapping[str, int], lengths: Mapping[str, int]) -> str:
    """What each letter in the shapes of some sites stands for, those letters only.

    Args:
        sites: of one model.
        sizes: of the model, those that it has of D, H, Dh, F and V.
        lengths: positions of each stream of the run.
    """
    letters = {letter for site in sites for letter in site.axes if not letter.isdigit()}
    meanings = dict(_AXES) | {letter: meaning for site in sites for letter, meaning in site.letters}
    every = dict(sizes)
    if "Dh" in letters and sizes["Dh"] * sizes["H"] == sizes["D"]:
        letters |= {"D", "H"}  # which it is said by
        meanings["Dh"] = _SHARE
    if "2D" in letters:
        every["2D"] = 2 * sizes["D"]
    numbers = {letter: grouped(size) for letter, size in every.items()}

    def sentence(letter: str) -> str:
        on_it = (site.stream(letter) for site in sites if letter in site.axes)
        streams = dict.fromkeys(stream for stream in on_it if stream is not None)
        sizes_of = [grouped(lengths[s]) if len(lengths) == 1 else f"{grouped(lengths[s])} ({_(s)})"
                    for s in streams]  # fmt: skip
        return _(meanings[letter]).format(**numbers, T=listed(sizes_of))

    order = {letter: place for place, letter in enumerate(meanings)}
    return " · ".join(sentence(letter) for letter in sorted(letters, key=order.__getitem__))
