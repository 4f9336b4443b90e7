"""A tree that grows to the right: what may come next at each place, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from core.figures import drawing
from core.figures.components.base import COVERED, Component
from core.figures.drawing import CHAR, line, rect
from core.figures.payload import Payload
from core.figures.text import Sentence
from core.figures.theme import PALETTES, Mode, Palette
from core.language import _

WIDE, TALL = 132.0, 38.0  # pixels of a node in a file
RIGHT, DOWN = 20.0, 8.0  # between two of them
LETTERS = 16  # of a name that a node has room for

State = Literal["kept", "cut", "offered", "walked"]


@dataclass(frozen=True, slots=True)
class Node:
    """One token at its place.

    Attributes:
        id: names it in the selection: short, and the same whatever else is in the tree.
        parent: its place in the list of nodes; -1 after the root.
        label: as it is written.
        note: beneath it: its number, and the sum up to it.
        state: "kept", "cut" (drawn pale, with a broken edge), "offered" or "walked".
        best: it lies on the way that is the result.
        says: about the way from the root to it.
        walks: a click on it opens it, or closes it; None where neither can be.
    """

    id: str
    parent: int
    label: str
    note: str
    state: State
    says: Sentence
    best: bool | None = None
    walks: Literal["open", "close"] | None = None


@dataclass(frozen=True, kw_only=True)
class Tree(Component):
    """Nodes, each after its parent, and which one is selected.

    Attributes:
        root: what stands before the first column.
        nodes: in an order in which a parent comes before its children.
        field: of the selection, which names a node by its id.
        first: the one that is selected while the field is empty; empty for none.
        states: what each state means, in words, those that occur.
        says: while nothing is selected.
    """

    folder: ClassVar[str] = "tree"

    root: str
    nodes: Sequence[Node]
    field: str
    first: str
    states: Mapping[str, str]
    says: Sentence

    def payload(self) -> Payload:
        places = placed([node.parent for node in self.nodes])
        labels = {"open": _("Enter opens it"), "close": _("Enter closes it")}
        names = ("title", "alt", "root", "nodes", "first", "states", "says")
        header = self.header(
            **{name: getattr(self, name) for name in names}, labels=labels, selects=self.field
        )
        return Payload(header | {"places": [list(place) for place in places]})

    @property
    def node(self) -> int | None:
        """The node that is selected."""
        ids = [node.id for node in self.nodes]
        chosen = self.selection.get(self.field) or self.first
        return ids.index(chosen) if chosen in ids else None

    def way(self, node: int | None) -> list[int]:
        """The nodes from the root to one of them."""
        way: list[int] = []
        while node is not None and node >= 0:
            way.insert(0, node)
            node = self.nodes[node].parent
        return way

    def covered(self, rows: Sequence[int] | None, chosen: Mapping[str, Any]) -> Tree:
        """Its root alone: what comes next is what is asked."""
        return Tree(title=self.title, alt=_(COVERED), root=self.root, nodes=(), field=self.field,
                    first="", states={}, says=Sentence(()))  # fmt: skip

    def drawing(self, mode: Mode) -> str:
        palette, places = PALETTES[mode], placed([node.parent for node in self.nodes])
        selected = self.node
        way = self.way(selected)
        body = [self._root(palette)]
        body += [self._edge(n, places, palette, chosen=n in way) for n in range(len(self.nodes))]
        for n, node in enumerate(self.nodes):
            body += self._node(node, *_corner(places[n]), palette, chosen=n in way)
        bottom = 60 + (TALL + DOWN) * (1 + max((row for _column, row in places), default=0))
        text = str(self.says if selected is None else self.nodes[selected].says)
        lines = _lines(text, 130)
        for words in [*_lines(" · ".join(self.states.values()), 130), *lines]:
            body.append(drawing.text(8, bottom, words, palette.muted))
            bottom += 18
        columns = 2 + max((column for column, _row in places), default=0)
        width = max((WIDE + RIGHT) * columns, 16 + CHAR * 130 if lines else 0)
        return drawing.frame(width, bottom + 4, self.title, self.alt, body, palette)

    def _root(self, palette: Palette) -> str:
        x, y = 8.0, 44.0
        return rect(x, y, WIDE, TALL, palette.surface, "rx='5'") + drawing.text(
            x + WIDE / 2, y + TALL / 2 + 4, self.root, palette.text, "middle"
        )

    def _edge(
        self, n: int, places: Sequence[tuple[int, int]], palette: Palette, *, chosen: bool
    ) -> str:
        parent = self.nodes[n].parent
        x1, y1 = (8.0, 44.0) if parent < 0 else _corner(places[parent])
        x2, y2 = _corner(places[n])
        ink = palette.accent if chosen else palette.border
        look = "stroke-width='2.5'" if chosen else "stroke-width='1'"
        return line(x1 + WIDE, y1 + TALL / 2, x2, y2 + TALL / 2, ink, look)

    def _node(self, node: Node, x: float, y: float, palette: Palette, *, chosen: bool) -> list[str]:
        cut = node.state == "cut"
        edge = {"kept": palette.accent, "walked": palette.key}.get(node.state, palette.border)
        look = f"rx='5' stroke='{edge}' stroke-width='{2.5 if chosen or node.best else 1}'"
        look += " stroke-dasharray='4 3'" if cut else ""
        ink = palette.muted if cut else palette.text
        name = node.label if len(node.label) <= LETTERS else node.label[: LETTERS - 1] + "…"
        bold = "font-weight='700'" if node.best else ""
        ground = palette.background if cut else palette.surface
        return [
            rect(x, y, WIDE, TALL, ground, look),
            drawing.text(x + WIDE / 2, y + 15, name, ink, "middle", bold),
            drawing.text(x + WIDE / 2, y + 31, node.note, palette.muted, "middle"),
        ]


def _corner(place: tuple[int, int]) -> tuple[float, float]:
    """Where a node begins in a file."""
    column, row = place
    return 8.0 + (WIDE + RIGHT) * (column + 1), 44.0 + (TALL + DOWN) * row


def _lines(words: str, most: int) -> list[str]:
    """A text in lines of at most so many characters, cut between words."""
    lines = [""]
    for word in words.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line for line in lines if line]


def placed(parents: Sequence[int]) -> list[tuple[int, int]]:
    """Column and row of every node: a first child beside its parent, the next ones below it.

    A branch moves up as far as what stands above it leaves room in each column, so that a long way
    with short ones beside it stays a few rows high (Reingold & Tilford 1981, without centring).

    Args:
        parents: of each node, before it in the list; -1 for the root.
    """
    children: dict[int, list[int]] = {}
    for n, parent in enumerate(parents):
        children.setdefault(parent, []).append(n)
    column = {-1: -1}
    for n, parent in enumerate(parents):
        column[n] = column[parent] + 1
    height: dict[int, int] = {-1: 0}  # rows below the parent's own
    reach: dict[int, dict[int, tuple[int, int]]] = {}  # column -> first and last row below its own
    for n in range(len(parents) - 1, -2, -1):
        spans = {column[n]: (0, 0)}
        for child in children.get(n, ()):
            down = max(
                (
                    spans[depth][1] + 1 - top
                    for depth, (top, _low) in reach[child].items()
                    if depth in spans
                ),
                default=0,
            )
            height[child] = max(down, 0)
            for depth, (top, low) in reach.pop(child).items():
                before = spans.get(depth, (top + height[child], 0))
                spans[depth] = before[0], low + height[child]
        reach[n] = spans
    row = {-1: 0}
    for n, parent in enumerate(parents):
        row[n] = row[parent] + height[n]
    return [(column[n], row[n]) for n in range(len(parents))]
