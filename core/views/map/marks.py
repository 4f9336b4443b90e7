"""What is in places of the picture: a cell, a feed-forward network, a stream's two ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.distributions import largest, softmax
from core.figures.components.arithmetic import Apply, Of, Sum, Times
from core.figures.components.map.inside import Column, ComponentTerm, PlaceMark, limit_of
from core.figures.text import Mark as Said
from core.figures.text import Sentence, number, percent, sentence
from core.language import _
from core.locale import in_quotes, listed
from core.models.blueprint import Direction, Embedding, Recurrence, Stack
from core.models.picture_parts import PatchStem
from core.models.places import Place
from core.tracing.trace import Array
from core.views.embed import AtComponent, StreamEmbeddings, look_up_reading
from core.views.ffn import SHORT, AtUnit, Units, entering, measure, reading
from core.views.map.run import WholeRun
from core.views.recurrent import AtState, StateRun, arithmetic_of

# --- what all places are made of: the run, the row that is looked at, and how a strip is written


About = tuple[str, dict[str, str | int]]  # a view, and what it is asked for


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a run.

    Attributes:
        whole: the run.
        place: that is gone into.
    """

    whole: WholeRun
    place: Place

    @property
    def stream(self) -> str:
        """The stream that the place works on."""
        return self.place.stream or self.whole.stream

    @property
    def row(self) -> int:
        """The position that is looked at."""
        return self.whole.row(self.stream)

    @property
    def token(self) -> str:
        """What stands there, inside a sentence."""
        return self.whole.trace.streams[self.stream].units[self.row].spoken

    def deeper(self, name: str) -> str:
        """The name of a place in this one."""
        return f"{self.place.name}.{name}"


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceSheet:
    """What is in a place.

    Attributes:
        title: names it.
        reading: what its numbers say.
        rows: what each row of marks is called.
        columns: of marks.
        row: that is looked at; -1 for none.
        aligned: the rows are the tokens of the picture around it.
        fan: two columns between which the weights are drawn as lines.
        weights: of each row.
        about: the view whose page tells more of it, and what is asked for there.
    """

    title: str
    reading: Sentence
    rows: Sequence[str]
    columns: Sequence[Column]
    row: int = -1
    aligned: bool = False
    fan: Sequence[str] = ()
    weights: Sequence[float] = ()
    about: About | None = None


@dataclass(slots=True)
class RowLadder:
    """Rows one below the other, each a strip or a number made from those above it.

    Attributes:
        rows: what each is called.
        strips: numbers of the rows that have some, in their order; behind a short one is none.
        marks: of those, and what is said beside them.
        texts: what is written beside, or in place of, a strip.
    """

    rows: list[str] = field(default_factory=list)
    strips: list[Array] = field(default_factory=list)
    marks: list[PlaceMark] = field(default_factory=list)
    texts: list[PlaceMark] = field(default_factory=list)

    def strip(
        self, label: str, values: Array, sign: str = "", of: Sequence[int] = (), text: str = "",
        times: str = "", like: int | None = None, says: str = "",
    ) -> int:  # fmt: skip
        """A row of numbers, each made of those of the rows ``of``. Gives its place.

        Args:
            label: what it is.
            values: the numbers.
            sign: between the terms of each.
            of: the rows that they stand in.
            text: that is written beside it.
            times: what each term is multiplied by, in words.
            like: a row in whose shades it is drawn; its own where None.
            says: the same in more words.
        """
        row = len(self.rows)
        self.rows.append(label)
        self.strips.append(np.asarray(values, np.float32))
        terms = tuple(ComponentTerm("strip", row, times) for row in of)
        limit = limit_of(self.strips[-1])
        if like is not None:
            limit = next(mark.limit for mark in self.marks if mark.row == like) or limit
        self.marks.append(
            PlaceMark(row=row, says=says or label, sign=sign, terms=terms, limit=limit)
        )
        if text:
            self.texts.append(PlaceMark(row=row, text=text, says=named(label, text)))
        return row

    def number(
        self, label: str, value: float, *, text: str = "", says: str = "",
        share: float | None = None, strong: bool = False, goes: str = "",
    ) -> int:  # fmt: skip
        """A row with one number, or a bar; ``text`` where it is not written as a number is."""
        row = len(self.rows)
        self.rows.append(label)
        text = text or number(value)
        mark = PlaceMark(row=row, text=text, says=says or named(label, text), share=share,
                         strong=strong, goes=goes, value=value)  # fmt: skip
        self.texts.append(mark)
        return row

    def columns(self, role: str = "weight") -> list[Column]:
        """The strips, and the numbers beside them."""
        columns = []
        widths = {len(strip) for strip in self.strips}
        if self.strips:
            values = np.full((len(self.strips), max(widths)), np.nan, np.float32)
            for row, strip in enumerate(self.strips):
                values[row, : len(strip)] = strip
            columns.append(Column(name="strip", title=_("component by component"),
                                  says=_("each shade is one number"), kind="strip", role="signed",
                                  marks=self.marks, values=values))  # fmt: skip
        if self.texts:
            columns.append(Column(name="number", title=_("number"), says=_("what comes out"),
                                  kind="bar", role=role, marks=self.texts))  # fmt: skip
        return columns


def begun(text: str) -> str:
    """A sentence up to its colon, as the name of a row."""
    return text.partition(":")[0].rstrip(" .\u00a0\u202f")


def strips(
    name: str, title: str, says: str, rows: Sequence[int], values: Array, labels: Sequence[str],
    *, spare: bool = False, goes: Sequence[str] = (),
) -> Column:  # fmt: skip
    """A column of strips, one for each row; ``goes`` says where each leads."""
    marks = [
        PlaceMark(row=row, says=label, goes=goes[n] if goes else "")
        for n, (row, label) in enumerate(zip(rows, labels, strict=True))
    ]
    return Column(name=name, title=title, says=says, kind="strip", role="signed", marks=marks,
                  values=np.asarray(values, np.float32), spare=spare)  # fmt: skip


def named(label: str, value: str) -> str:
    """What a mark says: its row and what stands there, with the language's colon between."""
    return _("{label}: {value}").format(label=label, value=value)


def numbers(
    name: str, title: str, says: str, values: Iterable[float], labels: Sequence[str], *,
    goes: Sequence[str] = (), hidden: Sequence[bool] = (), spare: bool = False,
    faint: bool = False,
) -> Column:  # fmt: skip
    """A column of numbers; of what is hidden it says so."""
    marks = []
    for row, value in enumerate(values):
        masked = bool(hidden) and hidden[row]
        value = -math.inf if masked else float(value)
        text = spoken = number(value)
        if masked:
            spoken = _("{value} (masked)").format(value=text)
        marks.append(PlaceMark(row=row, text=text, says=named(f"{title}, {labels[row]}", spoken),
                               goes=goes[row] if goes else "", value=value))  # fmt: skip
    return Column(name=name, title=title, says=says, kind="text", role="text", marks=marks,
                  spare=spare, faint=faint)  # fmt: skip


# --- in a recurrent cell: its gates at one step, and how the state of the step is made


def recurrent_cell(spot: Spot, recurrence: Recurrence) -> PlaceSheet:
    """Every number of the step at the row that is looked at."""
    run_params = spot.whole.params
    preferred: Direction = "backward" if spot.place.backward else "forward"
    way = preferred if preferred in recurrence.directions else recurrence.directions[0]
    params = AtState(text=run_params.text, model=run_params.model, target=run_params.target,
                     recurrence=recurrence.name, direction=way, layer=spot.place.layer,
                     token=spot.row)  # fmt: skip
    record = StateRun(spot.whole.run, params, recurrence, way)
    ladder, row = RowLadder(), spot.row
    state, *gates = record.cells
    rows: dict[str, int] = {}
    how = arithmetic_of(record)
    results = set() if how is None else {_result_array(step) for step in how.steps}
    for name in gates:
        if name not in results:
            says = record.trace.site(record.prefix + name).sentence()
            rows[name] = ladder.strip(begun(says), record(name)[row], says=says)
    if how is None:
        ladder.strip(_("the state after this step"), record(state)[row])
    else:
        _steps(ladder, record, how, rows, row)
    vector = record(state)[row]
    most = int(abs(vector).argmax())
    summary = sentence(
        _("After “{token}”, unit {unit} of the state is largest, with {value}."),
        token=Said(spot.token, "query"), unit=str(most),
        value=Said(number(float(vector[most])), "strong"),
    )  # fmt: skip
    title = _("One step of the cell, layer {layer}, at “{token}”")
    about: dict[str, str | int] = {"recurrence": recurrence.name, "direction": way,
                                   "layer": record.layer, "token": row}  # fmt: skip
    return PlaceSheet(
        title=title.format(layer=record.layer, token=spot.token), reading=summary, rows=ladder.rows,
        columns=ladder.columns(), about=("recurrent.states", about),
    )  # fmt: skip


def _result_array(step: Any) -> str:
    """The array that a step makes."""
    return str(step.result.array)


def _steps(ladder: RowLadder, record: StateRun, how: Any, rows: dict[str, int], row: int) -> None:
    """The arithmetic of the state, each of its steps a row."""

    def values(of: Of) -> Any:
        return (how.operands[of.array] if of.array in how.operands else record(of.array))[row]

    for step in how.steps:
        operands: list[Of] = []
        sign = ""
        if isinstance(step, Times):
            operands, sign = [step.a, step.b], "·"
        elif isinstance(step, Sum):
            operands, sign = list(step.terms), "+"
        elif isinstance(step, Apply):
            operands = [step.x]
        sources = [rows[operand.array] for operand in operands if operand.array in rows]
        rows[_result_array(step)] = ladder.strip(
            step.title, values(step.result), sign, sources if len(sources) == len(operands) else ()
        )


# --- in a feed-forward network: its strongest units; in a unit: what it reads and promotes


N_WORDS, N_TOKENS = 5, 4  # that a unit promotes, and on which it is most active


def units_of(spot: Spot, stack: Stack, unit: int = -1) -> Units:
    """The network of a place, at the row that is looked at."""
    run_params = spot.whole.params
    params = AtUnit(
        text=run_params.text, model=run_params.model, target=run_params.target, stack=stack.name,
        layer=spot.place.layer, token=spot.row, unit=unit,
    )  # fmt: skip
    return Units(spot.whole.run, params)


def network_units(spot: Spot, stack: Stack) -> PlaceSheet:
    """The strongest units at the row that is looked at."""
    record = units_of(spot, stack)
    token, listed = record.token, record.listed
    names = [_("unit {i}").format(i=unit) for unit in listed]
    goes = [spot.deeper(f"unit{unit}") for unit in listed]
    pre = record.site("pre")[token, listed].tolist()
    before = numbers("before", entering(record), _("the unit's row of W₁ times the token's vector"),
                     pre, names, goes=goes, spare=True)  # fmt: skip
    post = record.site("post")[token, listed]
    most = float(np.abs(post).max()) or 1.0
    after = Column(
        name="after", title=_("activation"), kind="bar", role="accent",
        says=_("what the unit passes on, after the activation function"),
        marks=[
            PlaceMark(row=row, text=number(float(activation)), share=float(activation) / most,
                      goes=goes[row],
                      says=_("activation of {unit}: {value}").format(
                     unit=names[row], value=number(float(activation))), value=float(activation))
            for row, activation in enumerate(post)
        ],
    )  # fmt: skip
    words = _promoting(record, names, goes) if _speaks(record) else _where(record, names, goes)
    title = _("Strongest units of the feed-forward network, layer {layer}, on “{token}”")
    return PlaceSheet(
        title=title.format(layer=record.place, token=record.name(token)),
        reading=reading(record, token),
        rows=names, columns=[before, after, words],
        about=("ffn.units", {"stack": stack.name, "layer": record.layer, "token": token}),
    )  # fmt: skip


def _speaks(record: Units) -> bool:
    """Whether what a unit writes can be read as words."""
    return record.trace.blueprint.predicts_words


def _promoting(record: Units, names: Sequence[str], goes: Sequence[str]) -> Column:
    """The words that each unit promotes."""
    return Column(
        name="words", title=_("promotes"), kind="words", role="text", says=_promotion_label(record),
        marks=[PlaceMark(row=row, text=", ".join(_promoted_words(record, row, 3)), goes=goes[row],
                         says=named(name, _promotes(record, row, N_WORDS)))
               for row, name in enumerate(names)],
    )  # fmt: skip


def _where(record: Units, names: Sequence[str], goes: Sequence[str]) -> Column:
    """Where each unit is most active."""
    most = np.abs(record.site("post")[:, record.listed]).argmax(axis=0)
    return Column(
        name="where", title=_("most active on"), kind="words", role="text",
        says=_("where this unit passes on most"),
        marks=[PlaceMark(row=row, text=record.tokens[int(position)].label, goes=goes[row],
                         says=named(names[row], record.name(int(position)))) for row,
               position in enumerate(most)],
    )  # fmt: skip


def network_unit(spot: Spot, stack: Stack) -> PlaceSheet:
    """What a unit reads, what it writes, the words it promotes, and where it is most active."""
    record = units_of(spot, stack, spot.place.unit or 0)
    index, token, weights = record.unit, record.token, record.trace.weights
    ladder = RowLadder()
    vector = record.trace[record.reads][token]
    row = weights[f"{record.prefix}w_1.weight"][index]
    of = [ladder.strip(_("what “{token}” brings").format(token=record.name(token)), vector),
          ladder.strip(_("the unit's row of W₁"), row)]  # fmt: skip
    ladder.strip(_("the two multiplied"), vector * row, "·", of)
    pre, post = (float(record.site(name)[token, index]) for name in ("pre", "post"))
    text = _("added up, with its bias") if stack.biases else _("added up")
    ladder.number(text, pre)
    if stack.gated:
        ladder.number(_("the gate"), float(record.site("gate")[token, index]))
    ladder.number(_("after {function}").format(function=SHORT[record.activation]), post,
                  strong=True)  # fmt: skip
    column = weights[f"{record.prefix}w_2.weight"][:, index]
    of = [ladder.strip(_("the unit's column of W₂"), column)]
    ladder.strip(_("activation · column: added to the stream"), post * column, "·", of,
                 times=number(post))  # fmt: skip
    _words(ladder, record)
    values: dict[str, Said | str] = {"token": Said(record.name(token), "query"), "unit": str(index),
             "value": Said(number(post), "accent")}  # fmt: skip
    summary = sentence(_("On “{token}”, unit {unit} has activation {value}."), **values)
    if _speaks(record):
        text = _("On “{token}”, unit {unit} has activation {value}. It promotes {words}.")
        summary = sentence(text, **values, words=_promotes(record, record.row, 3))
    title = _("Unit {unit} of layer {layer}, on “{token}”")
    return PlaceSheet(
        title=title.format(unit=index, layer=record.place, token=record.name(token)),
        reading=summary,
        rows=ladder.rows, columns=ladder.columns("accent"),
        about=("ffn.units",
               {"stack": stack.name, "layer": record.layer, "token": token, "unit": index}),
    )  # fmt: skip


def _words(ladder: RowLadder, record: Units) -> None:
    """The words it promotes, and the tokens of the text on which it is most active."""
    ranked = record.words(record.row, N_WORDS)[:N_WORDS] if _speaks(record) else []
    most = max((abs(value) for _word, value in ranked), default=0.0) or 1.0
    for word, value in ranked:
        label = _("promotes “{word}”").format(word=word)
        ladder.number(label, value, share=value / most,
                      says=named(label, f"{measure(record)} {number(value)}"))  # fmt: skip
    # Numbers without bars: theirs would have another scale than those of the words.
    everywhere = record.site("post")[:, record.unit]
    for place in map(int, np.argsort(-everywhere, kind="stable")[:N_TOKENS]):
        label = _("activation on “{token}”, position {at}")
        ladder.number(label.format(token=record.name(place), at=place), float(everywhere[place]))


def _promoted_words(record: Units, row: int, n: int) -> list[str]:
    """The words that a unit promotes most."""
    return [word for word, _value in record.words(row, n)[:n]]


def _promotes(record: Units, row: int, n: int) -> str:
    """The same, in a sentence."""
    return listed(in_quotes(word) for word in _promoted_words(record, row, n))


def _promotion_label(record: Units) -> str:
    if record.to_logits:
        return _("words whose logits one unit of this activation raises most")
    return _("words whose vectors are most like what the unit writes")


# --- where a stream begins: rows of tables, and their sum. Where it ends: logits, softmax, words


N_LIKELIEST = 8
MOST_LETTERS = 12  # characters of a word that are drawn


def stream_start(spot: Spot, embedding: Embedding) -> PlaceSheet:
    """The rows that the token reads, and what they add up to."""
    run_params = spot.whole.params
    params = AtComponent(text=run_params.text, model=run_params.model, target=run_params.target,
                         stream=spot.stream, token=spot.row)  # fmt: skip
    record = StreamEmbeddings(spot.whole.run, embedding, params)
    if embedding.d_model is not None:
        return _spelt(spot, record)
    row, ladder = spot.row, RowLadder()
    of: list[int] = []
    named = {"tokens": _("row {id} of the token table: “{token}”").format(
                 id=record.stream.ids[row], token=spot.token),
             "positions": _("row {at} of the position table").format(at=row),
             "types": _("row of the segment table")}  # fmt: skip
    for table in embedding.tables:
        index = ladder.strip(named[table], record.site(table)[row], like=of[0] if of else None)
        if table == "tokens" and embedding.scaled:
            root = f"√{record.total.shape[1]}"
            index = ladder.strip(_("multiplied by {root}").format(root=root),
                                 record.site("scaled")[row], "·", [index], times=root)  # fmt: skip
        of.append(index)
    if len(of) > 1:
        ladder.strip(_("added up"), record.total[row], "+", of, like=of[0])
    if embedding.norm:
        ladder.strip(_("after the norm"), record.site("ln.out")[row])
    title = _("How “{token}” becomes a vector").format(token=spot.token)
    about: About = "embed.lookup", {"stream": spot.stream, "token": row}
    return PlaceSheet(title=title, reading=look_up_reading(record, row), rows=ladder.rows,
                      columns=ladder.columns(), about=about)  # fmt: skip


def _spelt(spot: Spot, record: StreamEmbeddings) -> PlaceSheet:
    """A word that is made from its characters: their rows, and every vector up to the word's."""
    ladder, position, prefix = RowLadder(), spot.row, f"{record.embedding.prefix}."
    trace = spot.whole.trace
    for name in (site for site in trace.catalogue if site.startswith(prefix)):
        values = trace[name][position]
        if values.ndim == 1:
            says = trace.site(name).sentence()
            ladder.strip(begun(says), values, says=says)
            continue
        used = [row for row in values if np.any(row)][:MOST_LETTERS]
        word = trace.streams[spot.stream].units[position].label
        letters = ["", *word, ""] if len(word) + 2 == len(used) else [""] * len(used)
        for n, (row, letter) in enumerate(zip(used, letters, strict=True)):
            label = _("character {n}: {letter}") if letter else _("character {n}")
            ladder.strip(label.format(n=n, letter=letter), row)
    summary = sentence(
        _("The vector of “{token}” is made from its characters and from nothing else."),
        token=Said(spot.token, "query"),
    )
    title = _("How “{token}” becomes a vector").format(token=spot.token)
    return PlaceSheet(title=title, reading=summary, rows=ladder.rows, columns=ladder.columns())


def patch_start(spot: Spot, part: PatchStem) -> PlaceSheet:
    """The pixels of a square, what one matrix makes of them, and the row of its place."""
    trace, row, ladder = spot.whole.trace, spot.row, RowLadder()
    is_patch, pixels = row >= part.first, f"{part.prefix}.pixels"
    if is_patch and pixels in trace.catalogue:
        values = trace[pixels][row - part.first]
        ladder.strip(_("the {n} numbers of its pixels").format(n=len(values)), values)
    projected = _("multiplied by the projection matrix, plus its bias")
    if not is_patch:
        projected = _("the learned vector of {mark}").format(mark=part.mark)
    of = [ladder.strip(projected, trace[part.terms[0]][row])]
    for site in part.terms[1:]:
        text = _("row {at} of the position table").format(at=row)
        of.append(ladder.strip(text, trace[site][row], like=of[0]))
    if len(of) > 1:
        total = np.asarray(sum(trace[site][row] for site in part.terms), np.float32)
        ladder.strip(_("added up"), total, "+", of, like=of[0])
    text = _("Before the patches stands {token}: a vector that was learned, and no part of the "
             "picture.")  # fmt: skip
    if is_patch:
        text = _("The {n} numbers of {token} become a vector of {width}.")
    summary = sentence(text, token=Said(spot.token, "query"), n=str(part.n_numbers),
                       width=str(trace[part.terms[0]].shape[-1]))  # fmt: skip
    title = _("How “{token}” becomes a vector").format(token=spot.token)
    return PlaceSheet(title=title, reading=summary, rows=ladder.rows, columns=ladder.columns())


def stream_end(spot: Spot) -> PlaceSheet:
    """The last vector, the likeliest words, their logits and what softmax makes of them."""
    whole = spot.whole
    logits, probs, vector = _logits_at_row(spot)
    best = [int(index) for index in largest(probs, min(N_LIKELIEST, len(probs)))]
    names = [_word(spot, index) for index in best]
    goes = [spot.deeper(f"word{index}") for index in best]
    columns = _logit_columns(spot, best, names, vector)
    scores = numbers("logits", _("logit"), _("the score of a word: any number"),
                     [float(logits[index]) for index in best], names, goes=goes)  # fmt: skip
    operands = _logits_made(logits / whole.temperature, best)
    bars = [
        PlaceMark(row=row, text=percent(float(probs[index])), says=named(names[row], operands[row]),
                  share=float(probs[index] / probs[best[0]]), goes=goes[row], strong=row == 0,
                  value=float(probs[index]))
        for row, index in enumerate(best)
    ]  # fmt: skip
    shares = Column(
        name="shares", title=_("probability"), kind="bar", role="accent", marks=bars,
        says=_softmax(whole.temperature),
    )  # fmt: skip
    columns += [scores, shares]
    title = _("From the last vector to labels")
    if not whole.of_all:
        title = _("From the last vector to words, after “{token}”").format(token=spot.token)
    return PlaceSheet(title=title, reading=_likeliest(names[0], logits, probs), rows=names,
                      columns=columns)  # fmt: skip


def _logits_made(logits: NDArray[np.float64], best: Sequence[int]) -> list[str]:
    """How each probability is made, as operands: e^(5.62 − 8.26) / 2.19 = 3.3 %."""
    most = float(logits.max())
    powers = np.exp(logits - most)
    total = float(powers.sum())
    return [
        f"e^({number(float(logits[index]))} − {number(most)}) / {number(total)} = "
        f"{percent(float(powers[index]) / total)}"
        for index in best
    ]


def _logit_columns(
    spot: Spot, best: Sequence[int], names: Sequence[str], vector: Array
) -> list[Column]:
    """The last vector and the row of each word or label; nothing where more is done with it."""
    table = _table(spot)
    if table is None:
        return []
    title = _("row of the word")
    says = _("the last vector times a word's row is the word's logit")
    if spot.whole.of_all:
        title = _("row of the label")
        says = _("the last vector times a label's row, plus its bias, is the label's logit")
    labels = [_("row of “{word}”").format(word=name) for name in names]
    return [
        strips("vector", _("last vector"), _("what the layers have made of the token"), [0],
               vector[None], [_("last vector")]),
        strips("rows", title, says, range(len(best)), np.stack([table[index] for index in best]),
               labels),
    ]  # fmt: skip


def _softmax(temperature: float) -> str:
    """How logits become probabilities."""
    if temperature == 1.0:
        return _("softmax makes probabilities of the logits, which add up to 1")
    text = _("softmax makes probabilities of the logits divided by the temperature, {value}")
    return text.format(value=number(temperature, 2))


def likeliest_word(spot: Spot) -> PlaceSheet:
    """Every operand of one word's logit and probability."""
    logits, probs, vector = _logits_at_row(spot)
    index = min(spot.place.word or 0, len(probs) - 1)
    name, table, ladder = _word(spot, index), _table(spot), RowLadder()
    logit = float(logits[index])
    if table is not None:
        of = [ladder.strip(_("last vector"), vector),
              ladder.strip(_("row of “{word}”").format(word=name), table[index])]  # fmt: skip
        ladder.strip(_("the two multiplied"), vector * table[index], "·", of)
    if table is not None and (linear := spot.whole.answering.linear):
        bias = float(spot.whole.trace.weights[f"{linear}.bias"][index])
        ladder.number(_("added up"), logit - bias)
        ladder.number(_("plus the bias of the label, {bias}: the logit").format(bias=number(bias)),
                      logit)  # fmt: skip
    else:
        ladder.number(_("the logit") if table is None else _("added up: the logit"), logit)
    summary = sentence(_("“{word}” has logit {logit} and probability {share}."),
                       word=Said(name.removeprefix("·"), "accent"), logit=number(logit),
                       share=Said(percent(float(probs[index])), "accent"))  # fmt: skip
    _shares(ladder, logits / spot.whole.temperature, spot.whole.temperature, index)
    return PlaceSheet(title=_("The probability of “{word}”").format(word=name), reading=summary,
                      rows=ladder.rows, columns=ladder.columns("accent"))  # fmt: skip


def _shares(ladder: RowLadder, logits: NDArray[np.float64], temperature: float, index: int) -> None:
    """How the logit of one entry becomes its probability; they are divided by the temperature."""
    logit, most = float(logits[index]), float(logits.max())
    if temperature != 1.0:
        text = _("divided by the temperature, {value}").format(value=number(temperature, 2))
        ladder.number(text, logit)
    ladder.number(_("minus the largest logit, {most}").format(most=number(most)), logit - most)
    power, total = float(np.exp(logit - most)), float(np.exp(logits - most).sum())
    ladder.number(_("e = {e} to the power of that").format(e=number(math.e)), power)
    ladder.number(_("the sum over all entries"), total)
    share = power / total
    ladder.number(_("divided by that: the probability"), share, text=percent(share),
                  says=f"{number(power)} / {number(total)} = {percent(share)}", share=share,
                  strong=True)  # fmt: skip


def _logits_at_row(spot: Spot) -> tuple[NDArray[np.float64], NDArray[np.float64], Array]:
    """Logits and probabilities of the row that is looked at, and the vector they are made from."""
    whole = spot.whole
    row = 0 if whole.of_all else whole.row(whole.stream)
    logits = whole.logits[row].astype(np.float64)
    return (
        logits,
        softmax(logits / whole.temperature),
        np.atleast_2d(whole.trace[whole.answering.reads])[row],
    )


def _table(spot: Spot) -> Array | None:
    """The rows that the last vector is multiplied with; None where more is done."""
    head = spot.whole.answering
    table = f"{head.linear}.weight" if head.linear else head.table
    return None if table is None else spot.whole.trace.weights[table]


def _word(spot: Spot, entry: int) -> str:
    labels = spot.whole.labels
    return labels[entry] if labels else spot.whole.run.words(entry).label


def _likeliest(name: str, logits: NDArray[np.float64], probs: NDArray[np.float64]) -> Sentence:
    """What the highest logit is, and what becomes of it."""
    return sentence(
        _("“{word}” has the highest logit, {logit}, and so the highest probability, {share}."),
        word=Said(name.removeprefix("·"), "accent"), logit=number(float(logits.max())),
        share=Said(percent(float(probs.max())), "accent"),
    )  # fmt: skip
