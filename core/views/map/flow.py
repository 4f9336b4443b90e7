"""The run as one flowing picture: from the text through every layer to a word, and to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures import tokens
from core.figures.components.map import Answer, Cut, Flow, Opened
from core.figures.payload import Payload
from core.figures.text import Mark, Sentence, ends_itself, join, percent, sentence
from core.figures.values import Values
from core.language import _, ngettext
from core.locale import listed
from core.models.needs import Needs
from core.runs.requests import Request
from core.runs.results import Onward
from core.text.marks import MASK
from core.tracing.trace import Trace
from core.units import Token, Unit
from core.views.given import picture_of
from core.views.map import offered, towers, what_if
from core.views.map.drawn import first_shown, picture
from core.views.map.flowing import FlowParams, FlowRun
from core.views.map.inside import PlaceRun
from core.views.map.numbers import numbers
from core.views.map.stations import captions, resting
from core.views.map.told import said, zoom
from core.views.map.whole import WholeRun
from core.views.view import Note, View
from core.views.vision.seen import pixels_of
from core.views.weak import line_break, no_idea


class ModelFlow(View[FlowParams, FlowRun]):
    """The whole run as a picture that flows, and that can be gone into."""

    name, Params, needs, kept = "map.flow", FlowParams, Needs("answers"), True

    def requests(self, params: FlowParams) -> tuple[Request, ...]:
        return params.runs

    def compute(self, runs: Sequence[Onward], params: FlowParams) -> FlowRun:
        record = FlowRun(runs[0], params, runs[1] if len(runs) > 1 else None, runs[2:])
        record.check()
        return record

    def values(self, record: FlowRun) -> Mapping[str, Values]:
        return dict(numbers(record))

    def describe(self, record: FlowRun) -> Sentence:
        if record.effect is not None:
            return what_if.changed(record.effect)
        guess = _expected(record)
        written = record.whole.trace.streams[record.whole.stream].written
        if record.whole.of_all or (written and record.params.token < 0):
            return guess
        best, share = record.best(record.row)
        more = no_idea(record.params.model, share), line_break(best)
        return join([guess, *filter(None, more)])

    def notes(self, record: FlowRun) -> Sequence[Note]:
        return _notes(record)

    def facts(self, record: FlowRun) -> Sequence[str]:
        whole = record.whole
        rows = " + ".join(str(len(one.units)) for one in whole.trace.streams.values())
        said = _("{n} rows in {ms} ms") if record.params.picture else _("{n} tokens in {ms} ms")
        ran = said.format(n=rows, ms=f"{whole.trace.seconds * 1e3:.0f}")
        bits = [] if record.effect is None else [what_if.in_bits(record.effect)]
        return [ran, drawn_of(whole), *bits]

    def panel(self, record: FlowRun) -> Payload:
        return offered.panel(record, PlaceRun(record.whole, record.params.place).here)

    def draw(self, record: FlowRun) -> Flow:
        whole, trace = record.whole, record.whole.trace
        drawn = [towers.tower(trace, stream) for stream in towers.order(trace.blueprint)]
        head, rests = "" if record.changes else zoom(record), resting(record)
        return Flow(
            title=_("The whole run, from picture to label")
            if trace.blueprint.patches
            else _("The whole run, from text to prediction"),
            selection={
                "place": record.params.place,
                "aside": int(record.params.aside),
                **whole.rows,
            },
            towers=drawn,
            answer=answer(record),
            cells=drawn_of(whole),
            entries="" if whole.of_all else towers.entries(whole.logits.shape[-1]),
            opened=opened(record),
            passes=record.passes,
            guesses=record.guesses,
            guesses_before=record.guesses_before,
            captions=captions(record, zooms=bool(head)),
            zoom=head,
            resting="" if whole.first else rests,  # the mark is not drawn, so it cannot be left out
            off=[one.name for one in record.changes],
            lines_cut=what_if.lines_cut(record),
            was=None if record.beside is None else record.beside.was,
            reached=record.reached,
            told=() if record.reached is None else said(record),
            rows=0
            if record.reached is None
            else len(drawn[-1].tokens) - record.onward.n_written + 2,
            lines=[_line(trace, tower.name, tower.first) for tower in drawn],
            begins=begins(record),
            above=[towers.above(trace.streams[one.name].units, one.first) for one in drawn],
            picture=seen_as(record),
        )


def _notes(record: FlowRun) -> list[Note]:
    """Which words the model reads others for."""
    swapped = record.params.swapped_words
    if not swapped:
        return []
    pairs = listed([f"{one.old} → {one.new}" for one in swapped])
    text = _("The model reads it with what you swapped: {pairs}.")
    return [Note("info", sentence(text, pairs=pairs))]


def drawn_of(whole: WholeRun) -> str:
    """How many components of a vector are drawn."""
    return towers.cells(whole.width, patches=bool(whole.blueprint.patches))


def answer(record: FlowRun) -> Answer:
    """What the last tower says, with nothing changed and with all that is."""
    whole, beside = record.whole, record.beside
    words, probs = whole.shown_words if beside is None else (beside.words, beside.now)
    return Answer(
        heading=_(whole.answer.heading), at=_(whole.answer.at),
        logits=picture(whole.logits[whole.first :]), words=words, probs=probs,
    )  # fmt: skip


def opened(record: FlowRun) -> Opened:
    """What a file draws large: the layer that is gone into, and its head."""
    blueprint = record.whole.blueprint
    here = PlaceRun(record.whole, record.params.place).here
    if here is None:
        return Opened(blueprint.stream)
    attention = here.attention(blueprint)
    return Opened(
        here.stream or blueprint.stream, here.layer, attention.name if attention else "", here.head
    )


def _expected(record: FlowRun) -> Sentence:
    """What is likeliest at the row that is looked at."""
    best, share = record.best(record.row)
    known = {
        "word": Mark(best.removeprefix("·"), "accent"),
        "share": Mark(percent(share), "accent"),
    }
    stream = record.whole.trace.streams[record.whole.stream]
    first, *further = record.passes
    if stream.written and record.params.token < 0:
        text = "".join(_line(record.whole.trace, record.whole.stream)).strip()
        writes = _("The model writes “{text}”.")
        if ends_itself(text):
            writes = _("The model writes: “{text}”")
        return sentence(writes, text=Mark(text, "accent"))
    if record.whole.answering.ability == "masked_words":
        own = stream.units[record.row]
        text = _("At “{token}”, “{word}” is most likely, with {share}.")
        if own.label != MASK:
            text = _("No word is hidden: at “{token}”, which it can read, “{word}” is most "
                     "likely, with {share}. Write [MASK] to hide one.")  # fmt: skip
        return sentence(text, **known, token=Mark(own.spoken, "query"))
    if record.whole.of_all:
        return sentence(_("“{word}” is most likely, with {share}."), **known)
    if record.row != first.row + record.whole.first or not further or stream.written:
        return sentence(
            _("After “{token}”, “{word}” is most likely, with {share}."),
            **known, token=Mark(stream.units[record.row].spoken, "query"),
        )  # fmt: skip
    assert further[0].born is not None
    return sentence(
        _("“{word}” is most likely next, with {share}. After it, “{next}” is most likely."),
        **known, next=Mark(further[0].born.label.removeprefix("·"), "accent"),
    )  # fmt: skip


def begins(record: FlowRun) -> str:
    """How many pieces the input becomes, how many rows with the marks, and what is not drawn."""
    trace = record.whole.trace
    stream = towers.order(trace.blueprint)[0]
    units = trace.streams[stream].units
    n = len(units) - record.onward.n_written
    marks = [one.label for one in units if not _given(one)]
    text = ngettext("The text is cut into {n} token, and it becomes a row of numbers.",
                    "The text is cut into {n} tokens, and each becomes a row of numbers.",
                    n - len(marks))  # fmt: skip
    if record.params.picture:
        text = _("The picture is cut into {n} patches, and each becomes a row of numbers.")
    said = [text.format(n=n - len(marks))]
    if marks:
        with_marks = _("With {marks} there are {rows} rows.")
        said.append(with_marks.format(marks=listed(marks), rows=n))
    if hidden := towers.above(units, first_shown(trace, stream)):
        said.append(f"{hidden}.")
    return " ".join(said)


def seen_as(record: FlowRun) -> Cut | None:
    """The picture in its pixels, and how it is cut; None of a text."""
    if not record.params.picture:
        return None
    part = record.whole.blueprint.patches[0]
    return Cut(pixels_of(picture_of(record.params.picture)), part.size, part.first)


def _given(unit: Unit) -> bool:
    """Whether it stands for some of the input, as [MASK] does: what the model adds does not."""
    return not unit.special or getattr(unit, "end", 0) > getattr(unit, "start", 0)


def _line(trace: Trace, stream: str, first: int = 0) -> list[str]:
    """Each token of a stream from ``first`` on as it stands in a text, with the space before it.

    What the model adds stands in no text; before a token that is not the first is an ellipsis.
    """
    units = trace.streams[stream].units
    if trace.blueprint.patches:
        return [""] * len(units[first:])  # they stand in no text
    given = [unit.label.removeprefix("##") if _given(unit) else "" for unit in units]
    found: list[str] = []
    if any(unit.label.startswith("·") for unit in units):  # spaces are in the tokens
        spelt = [label.replace("·", " ") for label in given]
        of_bytes = [one for one in units if isinstance(one, Token)]
        if len(of_bytes) == len(units):  # a character's may lie in several
            texts = tokens.prose(of_bytes)
            spelt = [a if "\n" in b else b for a, b in zip(spelt, texts, strict=True)]
        for unit, label, text in zip(units, given, spelt, strict=True):
            mark = f" {label}" if label and any(found) else label
            found.append(mark if unit.special else text)
    else:
        for unit, label in zip(units, given, strict=True):
            goes_on = getattr(unit, "continues", False) or label in ".,;:!?'’"
            found.append(("" if goes_on or not any(found) else " ") + label)
    return [f"…{found[first]}", *found[first + 1 :]] if first else found
