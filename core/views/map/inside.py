"""The inside of a place of the flowing picture, down to the operands of one number."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.analysis.distributions import softmax
from core.figures.components.map.inside import Column, ComponentTerm, Inside
from core.figures.components.map.inside import PlaceMark as PlaceMark
from core.figures.components.map.told import StoryPart
from core.figures.text import Mark, Sentence, join, number, percent, sentence
from core.figures.values import Along, Values
from core.language import N_, _
from core.models import places
from core.models.abilities import Ability
from core.models.blueprint import Attention
from core.models.needs import Needs
from core.runs.kinds.continuation import ContinuedRun
from core.runs.request import Request
from core.tracing.trace import Array, Mask
from core.views.attention.head import AtHead, HeadRun, key_name, reading
from core.views.attention.steps import SCORES, scores_said
from core.views.map.marks import (
    About,
    PlaceSheet,
    RowLadder,
    Spot,
    likeliest_word,
    network_unit,
    network_units,
    numbers,
    patch_start,
    recurrent_cell,
    stream_end,
    stream_start,
    strips,
)
from core.views.map.parts import N_ROWS, first_shown
from core.views.map.run import OnSwapped, WholeRun, known_elsewhere
from core.views.map.story import FlowParams, FlowRun
from core.views.params import param
from core.views.parts import head_at
from core.views.view import View

# --- in a head: q, keys, dot products, scores, the mask, weights, values and their mix


N_MOST = 16  # keys that are drawn of a picture
SAME = 1e-3  # of a weight: what 16-bit numbers may leave between a softmax and itself
OFF = N_("The head is off: nothing of this is passed on.")
BY_HAND = N_("These weights were set by hand and no longer follow from the scores.")
LESS = N_("The largest score is subtracted from all of them first. That divides every power of e "
          "by the same number, so no weight changes; it keeps the powers small.")  # fmt: skip
FIRST = 0.5  # share of a mark at the start from which something is to be said about it


def head_of(spot: Spot, attention: Attention) -> HeadRun:
    """The head of a place, at the row that is looked at."""
    place, run_params = spot.place, spot.whole.params
    params = AtHead(
        text=run_params.text, model=run_params.model, target=run_params.target,
        attention=attention.name,
        layer=place.layer, head=place.head or 0, token=spot.row,
        key=-1 if place.key is None else place.key,
    )  # fmt: skip
    head = min(place.head or 0, (attention.n_heads or 1) - 1)
    return HeadRun(spot.whole.trace, spot.whole.cut, attention, place.layer, head, params)


def head_at_row(spot: Spot, attention: Attention) -> PlaceSheet:
    """From the query of the row that is looked at to what the head mixes for it."""
    record = head_of(spot, attention)
    first = first_shown(record.trace, attention.keys)
    row, keys = spot.row, _drawn_keys(record, spot.row, first)
    whole = len(keys) == len(record.keys) - first
    labels = [record.key_words[key] for key in keys]
    weights = record("weights")[row, keys]
    rows = list(range(len(keys)))
    drawn_row = row - first_shown(record.trace, attention.queries) if whole else keys.index(row)
    columns = [*_score_columns(spot, record, drawn_row, keys), _weights(spot, record, keys)]
    fan: list[str] = []
    if attention.score == "dot":
        values = strips("v", _("values"), _("what each token passes on"), rows, record("v")[keys],
                        [_("value of “{token}”").format(token=label) for label in labels],
                        goes=[spot.deeper(f"key{key}") for key in keys])  # fmt: skip
        columns += [values, _mix(record, drawn_row, weights)]
        fan = ["v", "z"]
    where = head_at(record) or _("attention")
    title = _("Inside {where}, for “{token}”").format(where=where, token=record.query_words[row])
    summary = head_reading(record, row)
    if set_by_hand(record, row):
        summary = join([summary, sentence(_(BY_HAND))])
    if _is_off(record):
        summary = join([summary, sentence(_(OFF))])
    elif first:
        share = float(record("weights")[row, :first].sum())
        text = _("Of its attention, {share} goes to tokens above that are not drawn.")
        summary = join([summary, sentence(text, share=Mark(percent(share), "weight"))])
    if not whole:
        units = record.trace.streams[attention.keys].units
        labels = [units[key].label for key in keys]
        text = _("Of {all} positions those are drawn that get most of it.")
        summary = join([summary, sentence(text, all=str(len(units)))])
    return PlaceSheet(
        title=title, reading=summary, rows=labels, columns=columns, row=drawn_row, aligned=whole,
        fan=fan,
        weights=weights.tolist(), about=about(spot, record),
    )  # fmt: skip


def _is_off(record: HeadRun) -> bool:
    """Whether what the head mixes was made zero."""
    return not record("z").any()


def _drawn_keys(record: HeadRun, row: int, first: int) -> list[int]:
    """The keys that are drawn: of more than there is room for those that get most, and itself."""
    n = len(record.keys)
    if n - first <= N_ROWS:
        return list(range(first, n))
    most = np.argsort(-record("weights")[row], kind="stable")[:N_MOST]
    return sorted({*map(int, most), row})


def head_reading(record: HeadRun, row: int) -> Sentence:
    """What the row attends to; where most goes to the mark at the start, why it may."""
    masked = hidden(record, row) & record.mask[row]
    sentences = [reading(record, row, np.flatnonzero(masked).tolist())]
    key = int(record("weights")[row].argmax())
    start = record.trace.streams[record.attention.keys].units[key]
    share = float(record("weights")[row, key])
    if key == 0 and start.special and share >= FIRST:
        sentences.append(sentence(
            _("Weights always add up to 1. A head that finds nothing to take often leaves them on "
              "{mark}, which stands at the start of every text."),
            mark=Mark(start.spoken, "key"),
        ))  # fmt: skip
    return join(sentences)


def hidden(record: HeadRun, row: int) -> Mask:
    """Which keys a row may not attend to, by the mask or as the learner has hidden them."""
    masked = ~record.mask[row]
    if record.attention.score != "dot":
        return masked
    return masked | (record("scores")[row] <= places.HIDDEN / 2)


def set_by_hand(record: HeadRun, row: int) -> bool:
    """Whether the weights of a row are not what the softmax makes of its scores."""
    may = record.mask[row]
    if record.attention.score != "dot" or not may.any():
        return False
    scores, weights = (record(site)[row, may].astype(np.float64) for site in ("scores", "weights"))
    return bool(np.abs(softmax(scores) - weights).max() > SAME)


def about(spot: Spot, record: HeadRun) -> About:
    """The page where every step of the head is a matrix."""
    if record.trace.blueprint.patches:
        return "vision.looks", {"layer": record.layer, "head": record.head, "patch": spot.row}
    kind = {"attention": record.attention.name} if record.trace.blueprint.attentions[1:] else {}
    view = "attention.steps" if record.attention.score == "dot" else "attention.weights"
    return view, {**kind, "layer": record.layer, "head": record.head, "token": spot.row}


def _score_columns(
    spot: Spot, record: HeadRun, drawn_row: int, drawn: Sequence[int]
) -> list[Column]:
    """The query, the keys, and what comes of comparing them."""
    row, labels = spot.row, [record.key_words[key] for key in drawn]
    goes = [spot.deeper(f"key{key}") for key in drawn]
    if record.attention.score != "dot":
        return []
    query = strips("q", _("query"), _("what this token looks for"), [drawn_row],
                   record("q")[row : row + 1],
                   [_("query of “{token}”").format(token=record.query_words[row])],
                   goes=[goes[int(record("weights")[row, drawn].argmax())]])  # fmt: skip
    keys = strips("k", _("keys"), _("what each token can be found by"), range(len(labels)),
                  record("k")[drawn],
                  [_("key of “{token}”").format(token=label) for label in labels],
                  goes=goes)  # fmt: skip
    dots = numbers("dots", "q · k", _("how well query and key fit"), record("dots")[row, drawn],
                   labels, goes=goes, spare=True)  # fmt: skip
    title = _("score")
    scores = numbers("scores", title, scores_said(record, SCORES), record("scores")[row, drawn],
                     labels, goes=goes, hidden=hidden(record, row)[drawn].tolist(),
                     faint=set_by_hand(record, row))  # fmt: skip
    return [query, keys, dots, _with_operands(record, scores, drawn)]


def _with_operands(record: HeadRun, scores: Column, drawn: Sequence[int]) -> Column:
    """Each score says of which numbers it is made: 98.9 / √64 = 12.4."""
    if record.attention.scale is None or record.bias is not None:
        return scores
    dots, root = record("dots")[record.query], f"√{record('q').shape[1]}"
    marks = [
        mark if mark.value is None or math.isinf(mark.value)
        else replace(mark, made=f"{number(float(dots[key]))} / {root} = {mark.text}")
        for mark, key in zip(scores.marks, drawn, strict=True)
    ]  # fmt: skip
    return replace(scores, marks=marks, made=f"q · k / {root}")


def _weights(spot: Spot, record: HeadRun, drawn: Sequence[int]) -> Column:
    """The weights of the row, as bars."""
    query, masked = spot.row, hidden(record, spot.row)
    marks, operands = [], _softmax_texts(record, query)
    for row, key in enumerate(drawn):
        share = float(record("weights")[query, key])
        text = _("masked") if masked[key] and not share else percent(share)
        says = _("weight, “{token}”: {share}").format(token=record.key_words[key], share=text)
        marks.append(
            PlaceMark(row=row, text=text, says=says, made=operands.get(int(key), ""), share=share,
                      goes=spot.deeper(f"key{key}"), value=share)
        )  # fmt: skip
    return Column(name="weights", title=_("weights"), kind="bar", role="weight", marks=marks,
                  made=_("e^score / sum") if operands else "",
                  says=_("softmax makes weights of the scores, which add up to 1"))  # fmt: skip


def _softmax_texts(record: HeadRun, row: int) -> dict[int, str]:
    """By key that may be attended to, how its weight is made: e^(8.97 − 12.4) / 1.70 = 2.0 %."""
    open_to = np.flatnonzero(~hidden(record, row))
    if set_by_hand(record, row) or not open_to.size:  # no step leads from the score to it
        return {}
    scores, most, powers = _powers(record, row)
    total = number(float(powers.sum()))
    return {
        int(key): f"e^({number(float(scores[key]))} − {number(most)}) / {total} = "
        + percent(float(record("weights")[row, key]))
        for key in open_to
    }


def _mix(record: HeadRun, drawn_row: int, weights: np.ndarray) -> Column:
    """The values, added up by their weights."""
    query = record.query
    most = np.argsort(-weights, kind="stable")[:3]
    terms = [
        ComponentTerm("v", int(key), percent(float(weights[key])))
        for key in most
        if weights[key] > 0
    ]
    more = np.count_nonzero(weights > 0) > len(terms)
    mark = PlaceMark(row=drawn_row,
                     says=_("mix for “{token}”").format(token=record.query_words[query]),
                     sign="+", terms=terms, more=bool(more), strong=True)  # fmt: skip
    return Column(
        name="z",
        title=_("mix"),
        made=_("weights × values"),
        says=_("the values, each times its weight, added up"),
        kind="strip", role="signed", marks=[mark], values=record("z")[query : query + 1],
    )  # fmt: skip


def one_weight(spot: Spot, attention: Attention) -> PlaceSheet:
    """Every operand of one weight, and what the weight takes from the value."""
    record = head_of(spot, attention)
    query, key = spot.row, min(spot.place.key or 0, len(record.keys) - 1)
    query_word, key_word = record.query_words[query], record.key_words[key]
    share = float(record("weights")[query, key])
    ladder, by_hand = RowLadder(), set_by_hand(record, query)
    if attention.score == "dot":
        _compare(ladder, record, query, key)
    masked = hidden(record, query)[key]
    if not by_hand and not masked:  # else no step leads from the score to it
        _softmax(ladder, record, query, key)
    elif not by_hand:
        ladder.number(_("mask: “{token}” may not be attended to").format(token=key_word), -math.inf,
                      text="−∞")  # fmt: skip
    label = _("the weight")
    if by_hand:
        label = _("the weight, in a row set by hand")
    elif not masked:
        label = _("the one divided by the other: the weight")
    ladder.number(label, share, text=percent(share), share=share, strong=True)
    if attention.score == "dot":
        value = record("v")[key]
        of = ladder.strip(_("value of “{token}”").format(token=key_word), value)
        ladder.strip(_("weight · value: what goes into the mix"), share * value, "·", [of],
                     times=percent(share), like=of)  # fmt: skip
    summary = sentence(
        _("“{query}” gives {share} of its attention to {key}."), query=Mark(query_word, "query"),
        share=Mark(percent(share), "weight"), key=key_name(record, query, key),
    )  # fmt: skip
    if by_hand or not masked:
        summary = join([summary, sentence(_(BY_HAND) if by_hand else _(LESS))])
    if _is_off(record):
        summary = join([summary, sentence(_(OFF))])
    title = _("One weight: “{query}” attends to “{key}”").format(query=query_word, key=key_word)
    view, arguments = about(replace(spot, place=replace(spot.place, key=None)), record)
    return PlaceSheet(title=title, reading=summary, rows=ladder.rows, columns=ladder.columns(),
                      about=(view, {**arguments, "key": key}))  # fmt: skip


def _compare(ladder: RowLadder, record: HeadRun, row: int, key: int) -> None:
    """Query and key, component by component, and their sum."""
    query, other = record("q")[row], record("k")[key]
    of = [
        ladder.strip(_("query of “{token}”").format(token=record.query_words[row]), query),
        ladder.strip(_("key of “{token}”").format(token=record.key_words[key]), other),
    ]
    dot = float(record("dots")[row, key])
    ladder.strip(_("query · key, each component"), query * other, "·", of)
    ladder.number(_("all of them added up: q · k"), dot)
    if record.attention.scale is not None:
        root = f"√{len(query)}"
        scaled = dot / record.attention.scale
        ladder.number(
            _("divided by {root}").format(root=root),
            scaled,
            says=f"{number(dot)} / {root} = {number(scaled)}",
        )
    if record.bias is not None:
        ladder.number(_("bias of the distance"), float(record.bias[row, key]))


def _powers(record: HeadRun, row: int) -> tuple[Array, float, Array]:
    """The scores of a row, the largest that counts, and e to the power of what each is below it."""
    scores = record("scores")[row].astype(np.float64)
    most = float(scores[record.mask[row]].max())
    return scores, most, np.where(hidden(record, row), 0.0, np.exp(scores - most))


def _softmax(ladder: RowLadder, record: HeadRun, row: int, key: int) -> None:
    """From the score to the weight: beside the scores of all keys that may be attended to."""
    scores, most, powers = _powers(record, row)
    less = float(scores[key]) - most
    says = f"{number(float(scores[key]))} − {number(most)} = {number(less)}"
    ladder.number(_("score minus the largest, {most}").format(most=number(most)), less, says=says)
    ladder.number(_("e = {e} to the power of that").format(e=number(math.e)), float(powers[key]))
    ladder.number(_("the sum over all keys"), float(powers.sum()))


# --- in a layer: what its numbers say; its parts are drawn in the picture itself ------


def layer_said(spot: Spot) -> Sentence | None:
    """The strongest line to another token, at the row that is looked at, and the head that has it.

    Lines to marks do not count, as attention that finds nothing rests there. Of a model in which
    nothing attends, what a layer knows of another stream; None for nothing.
    """
    blueprint, row = spot.whole.blueprint, spot.row
    if not blueprint.attentions:
        return next(known_elsewhere(blueprint, spot.stream), None)
    attention = replace(spot.place, head=0).attention(blueprint)
    if attention is None or not attention.square or (attention.n_heads or 1) < 2:
        return None
    weights = head_of(spot, attention).weights(spot.place.layer)[:, row].copy()
    units = spot.whole.trace.streams[attention.keys].units
    marks = [n for n, unit in enumerate(units) if unit.special and not getattr(unit, "end", 0)]
    weights[:, [*marks, row]] = 0
    head, key = np.unravel_index(int(weights.argmax()), weights.shape)
    record = head_of(replace(spot, place=replace(spot.place, head=int(head))), attention)
    text = _("In layer {layer}, head {head} has the strongest line into “{query}” from elsewhere: "
             "it takes {share} from {key}.")  # fmt: skip
    if not weights[head, key] > 0:
        text = _("In layer {layer}, “{query}” has no other word to attend to.")
    summary = sentence(
        text, layer=str(spot.place.layer), head=str(int(head)),
        query=Mark(record.query_words[row], "query"), key=key_name(record, row, int(key)),
        share=Mark(percent(float(weights[head, key])), "weight"),
    )  # fmt: skip
    if replace(spot.place, ffn=True).stack(blueprint) is None:
        return summary
    then = _("The feed-forward network then works on each token by itself.")
    return join([summary, sentence(then)])


# --- the pages that tell more of a place: by a view of each, with what is asked for there


SAYS: Mapping[Ability, str] = {
    "next_token": "predict.next", "masked_words": "masked.strip", "translate": "translate.next",
    "fill_spans": "noise.text", "denoise": "noise.text", "classify_text": "tune.text",
    "classify_image": "vision.answer",
}  # fmt: skip
# Those views, and those that a sheet names itself.
MORE = ("text.tokens", "embed.lookup", "attention.steps", "attention.weights", "vision.looks",
        "norm.steps", "ffn.units", "recurrent.states", *dict.fromkeys(SAYS.values()))  # fmt: skip


def more_views(spot: Spot, sheet: PlaceSheet | None) -> Iterator[About]:
    """What tells more of a place, and of what is in it."""
    whole, place = spot.whole, spot.place
    if place.start:
        cut = any(patch.stream == spot.stream for patch in whole.blueprint.patches)
        yield ("vision.answer" if cut else "text.tokens"), {}
    if sheet is not None and sheet.about is not None:
        yield sheet.about
    if place.end and place.word is None and (view := SAYS.get(whole.answering.ability)):
        # The others look at what is hidden, written, or all of it.
        yield view, {"token": spot.row} if view == "predict.next" else {}
    if place.whole:
        for stack in whole.blueprint.stacks:
            if stack.stream == spot.stream:
                yield "norm.steps", {"source": "text", "stack": stack.name,
                                     "layer": place.layer, "token": spot.row}  # fmt: skip


# --- the inside of a place of the flowing picture, down to the operands of one number -


@dataclass(frozen=True, slots=True)
class InsideParams(OnSwapped):
    """A place, and the row that is looked at there.

    Attributes:
        place: that is gone into (``core.models.places``); empty for the whole.
        token: the row that is looked at; -1 for the last one that answers.
        source_token: the same in the encoder; -1 for the last word.
        reached: the last part that is told of the picture around it; -1 for all of it.
    """

    place: str = param("", pattern=places.PATTERN, high=60,
                       form=N_("a place of the model, such as layer3"),
                       picked=True, label=N_("Place"))  # fmt: skip
    token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Token"))
    source_token: int = param(-1, low=-1, high=100_000, picked=True, label=N_("Source token"))
    reached: int = param(-1, low=-1, high=max(StoryPart), label=N_("Told as far as part"))

    @property
    def flow(self) -> FlowParams:
        """The same of the whole picture."""
        return FlowParams(
            text=self.text, model=self.model, target=self.target, picture=self.picture,
            off=self.off, swap=self.swap, token=self.token, source_token=self.source_token,
            reached=self.reached, place=self.place,
        )  # fmt: skip


@dataclass(frozen=True)
class PlaceRun:
    """A run, and a place of it.

    Attributes:
        whole: the run.
        place: as it was asked for.
    """

    whole: WholeRun
    place: str

    @property
    def known_place(self) -> places.Place | None:
        """The place, if the model has it."""
        place = places.read(self.place)
        return place if place is not None and place.is_in(self.whole.blueprint) else None

    @cached_property
    def opened(self) -> PlaceSheet | None:
        """What is in the place; None where the model has none, or nothing more is drawn of it."""
        place = self.known_place
        return None if place is None else sheet_of(Spot(self.whole, place))

    @cached_property
    def layer_says(self) -> Sentence | None:
        """What a layer says where all of it is open; None for any other place."""
        place = self.known_place
        return layer_said(Spot(self.whole, place)) if place is not None and place.whole else None

    @property
    def more_views(self) -> list[About]:
        """The views whose pages tell more of it."""
        place = self.known_place
        return [] if place is None else list(more_views(Spot(self.whole, place), self.opened))

    @property
    def sheet(self) -> PlaceSheet:
        """The same; where nothing is opened, what the whole comes to: the words."""
        return self.opened or stream_end(Spot(self.whole, places.Place("words", "", 0, end=True)))


def sheet_of(spot: Spot) -> PlaceSheet | None:
    """What is in a place, by what it is."""
    blueprint, place = spot.whole.blueprint, spot.place
    if spot.stream not in blueprint.streams:
        return None
    if place.end and spot.stream == blueprint.stream:
        return (stream_end if place.word is None else likeliest_word)(spot)
    if place.start:
        begun = (embedding for embedding in blueprint.embeddings if embedding.stream == spot.stream)
        cut = (patch_start(spot, part) for part in blueprint.patches if part.stream == spot.stream)
        return next((stream_start(spot, part) for part in begun), next(cut, None))
    if (attention := place.attention(blueprint)) is not None:
        return (head_at_row if place.key is None else one_weight)(spot, attention)
    if (stack := place.stack(blueprint)) is not None:
        return (network_units if place.unit is None else network_unit)(spot, stack)
    if (recurrence := place.recurrence(blueprint)) is not None:
        return recurrent_cell(spot, recurrence)
    return None


class MapInsideView(View[InsideParams, PlaceRun]):
    """Every number of a place, as marks in rows."""

    name, Params, needs = "map.inside", InsideParams, Needs("answers")

    def requests(self, params: InsideParams) -> tuple[Request, ...]:
        return params.flow.runs[:1]

    def compute(self, runs: Sequence[ContinuedRun], params: InsideParams) -> PlaceRun:
        run = FlowRun(runs[0], params.flow)
        run.check()
        return PlaceRun(run.whole, params.place)

    def values(self, record: PlaceRun) -> Mapping[str, Values]:
        values: dict[str, Values] = {}
        labels = record.sheet.rows
        for column in record.sheet.columns:
            strip = column.values is not None
            names = [mark.says if strip else labels[mark.row] for mark in column.marks]
            rows = Along("row", _("row"), names)
            values |= _strips(column, rows)
            texts = np.array([_cell(mark) for mark in column.marks], dtype=np.str_)
            if any(texts):
                values[f"{column.name}_text"] = Values(column.title, texts, (rows,))
        return values

    def describe(self, record: PlaceRun) -> Sentence:
        return record.layer_says or record.sheet.reading

    def absent(self, record: PlaceRun) -> bool:
        return record.opened is None

    def draw(self, record: PlaceRun) -> Inside:
        sheet = record.sheet
        return Inside(
            title=sheet.title, rows=sheet.rows,
            place=record.place if record.opened else "", columns=sheet.columns,
            aligned=sheet.aligned, row=sheet.row, at=record.whole.rows, fan=sheet.fan,
            weights=sheet.weights,
        )  # fmt: skip


def _cell(mark: PlaceMark) -> str:
    """What a mark says in a table: a number as every program reads it."""
    return mark.text if mark.value is None else str(np.float32(mark.value))


def _strips(column: Column, rows: Along) -> dict[str, Values]:
    """The numbers of a column of strips: one table, or of unlike lengths one for each."""
    if column.values is None:
        return {}

    def along(n: int) -> Along:
        return Along("component", _("component"), [str(i) for i in range(n)])

    if not np.isnan(column.values).any():
        axes = rows, along(column.values.shape[1])
        return {column.name: Values(column.title, column.values, axes)}
    vectors = [vector[~np.isnan(vector)] for vector in column.values]
    return {
        f"{column.name}_{n}": Values(label, vector, (along(len(vector)),))
        for n, (label, vector) in enumerate(zip(rows.labels, vectors, strict=True))
    }
