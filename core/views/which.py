"""One text through several machines: what each can and cannot do, settled by probes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.figures.components import Axis, Category, Matrix, Scale, Sheet
from core.figures.components.plot import BarSeries, PlaceWords, Plot, PlotAxis, Rule
from core.figures.text import Mark, Sentence, join, percent, sentence, shortened
from core.figures.values import Along, Values
from core.language import N_, _, name_of
from core.locale import grouped, listed
from core.models.abilities import Ability
from core.models.needs import Needs
from core.runs.kinds.probes import WITHOUT_TEXT, Probe, ProbeRequest, ProbeResult
from core.runs.request import Request
from core.views.controls import Control, Press
from core.views.nearest import nearest
from core.views.params import OnText, model_param, param
from core.views.view import Note, View

# --- the table that is filled: what a machine may be wanted for, and what was guessed of each


MOST = 24  # words of a text that are read
WORD = re.compile(r"\S+")
# What the columns are: an ability, and the parameter that names a machine with it. A machine that
# learned to fill in spans comes before one that learned to mend any damage.
COLUMNS: tuple[tuple[Ability, str], ...] = (
    ("next_token", "model"),
    ("masked_words", "guesser"),
    ("both_ways", "reader"),
    ("fill_spans", "filler"),
    ("denoise", "mender"),
)


@dataclass(frozen=True, slots=True)
class MachineKind:
    """A row of the table; all words are translated with ``_`` where they are shown.

    Attributes:
        probe: that settles its cells.
        says: what a machine is wanted for.
        asks: the question that the probe answers.
        does: what is done.
        measures: the number, for an axis.
        least: the number from which on a machine can.
        why: the reason for that threshold.
        unit: of the number.
        shows: what the machine was given or has written.
        code: the line that computes the number.
    """

    probe: Probe
    says: str
    asks: str
    does: str
    measures: str
    least: float
    why: str
    unit: Literal["share", "count"]
    shows: str
    code: str


# Why a machine with such an ability can what it can, and no more (translate with ``_``).
REASONS: Mapping[Ability, str] = {
    "next_token": N_("Each of its vectors depends on its own word and those before it. It was "
                     "trained to predict the next token."),
    "masked_words": N_("Each of its vectors depends on all words of the text. It was trained to "
                       "predict hidden words."),
    "both_ways": N_("One half of it reads forwards, the other backwards. It was trained to predict "
                    "the word after and the word before."),
    "fill_spans": N_("Its encoder reads all words of the text. Its decoder attends to them and to "
                     "what it has written so far. It was trained to write the spans that are "
                     "hidden."),
    "denoise": N_("Its encoder reads all words of the text. Its decoder attends to them and to "
                  "what it has written so far. It was trained to write the whole of a damaged "
                  "text."),
}  # fmt: skip
PROBES_FILE = "core/runs/kinds/probes.py"
KINDS: tuple[MachineKind, ...] = (
    MachineKind(
        "later",
        N_("See later words"),
        N_("Does a word's vector depend on the words after it?"),
        N_("The last word of the text is swapped for another one. How far does the vector of the "
           "middle word move, after the last layer, as a share of its length?"),
        N_("How far the vector of the middle word moves"),
        0.01,
        N_("rounding moves a vector by less than 0.01 %, so 1 % comes from the swapped word"),
        "share",
        N_("“{1}” becomes “{2}”, and the vector of “{0}” is compared."),
        "moved = [float(np.linalg.norm(vector - plain) / size)",
    ),
    MachineKind(
        "together",
        N_("Join both sides"),
        N_("Do the words before and after a word act together on its vector?"),
        N_("A word before the middle word is swapped, then the last word, then both. If the two "
           "sides never meet, both swaps together change the vector by the sum of what each "
           "changes alone. How much of the change is left beyond that sum?"),
        N_("Share of the change that neither swap explains"),
        0.01,
        N_("where the two sides never meet, the share is 0 but for rounding"),
        "share",
        N_("“{1}” becomes “{2}”, and the vector of “{0}” is compared."),
        "alone = float(np.linalg.norm(both - before - behind + plain))",
    ),
    MachineKind(
        "senses",
        N_("Separate senses"),
        N_("Does a word with two senses get vectors that tell them apart?"),
        N_("“left” stands in four sentences as the opposite of “right” and in four as “went "
           "away”. How often is the nearest of the other vectors one of the same sense?"),
        N_("Sentences whose nearest one has the same sense"),
        0.75,
        N_("a vector that knows no context is right in 43 % of the cases, by chance"),
        "share",
        N_("The sentences are like “{1}” and “{2}”. They do not depend on your text."),
        "share = float(same_sense(",
    ),
    MachineKind(
        "gap",
        N_("Fill a gap"),
        N_("Does the machine find a word that is missing in the middle?"),
        N_("One word of the text after the other is hidden, at most twelve of them. What "
           "probability does the machine give to the hidden word? The mean is geometric, so that "
           "a word it rules out counts."),
        N_("Probability of the hidden word"),
        0.10,
        N_("one right word in ten draws: a machine with less needs too many tries to be of use"),
        "share",
        N_("From the words before alone, {model} gives {beside}. The rest of the sentence helps "
           "most with “{0}” in “{1}”."),
        "both, left_logs = logs[: len(holes)]",
    ),
    MachineKind(
        "writes",
        N_("Continue a text"),
        N_("Can the machine continue a text?"),
        N_("The machine writes ten tokens after the text, each time the most likely one. How many "
           "different ones are among them? A machine that cannot write repeats itself."),
        N_("Different tokens of ten"),
        6,
        N_("more than half of what it writes must be new"),
        "count",
        N_("{model} writes: “{0}”"),
        "return ProbeResult(float(len(set(labels)))",
    ),
    MachineKind(
        "chain",
        N_("Score a text"),
        N_("Does one pass give a whole text a probability?"),
        N_("By the chain rule the probability of a text is the product of those of its tokens, if "
           "each depends on the tokens before it alone. The last token is swapped for another. How "
           "many of the predictions before it stay the same?"),
        N_("Predictions that stay the same"),
        1.0,
        N_("a single prediction that has seen what comes later spoils the product"),
        "share",
        "",
        "stay = np.abs(logs[0] - logs[1])",
    ),
    MachineKind(
        "answers",
        N_("Answer untrained"),
        N_("Can the machine sort texts as it is, without being trained for it?"),
        N_("Behind each of 48 sentences a word is asked for: is “happy” or “sad” more likely? How "
           "often is that the label of the sentence?"),
        N_("Right answers"),
        0.75,
        N_("half of the answers are right by chance; three in four need some understanding"),
        "share",
        N_("{model} reads “{0}” The right answer is “{1}”."),
        "right = ((logs[:, 0] > logs[:, 1]) == glad)",
    ),
    MachineKind(
        "learns",
        N_("Use every token"),
        N_("Do all tokens of a text count in one step of training?"),
        N_("The text becomes an exercise as in training. How many tokens have to be predicted, as "
           "a share of those that the text has?"),
        N_("Tokens that count in the loss"),
        0.5,
        N_("with less than half of them, as many texts teach less than half as much"),
        "share",
        "",
        "counted = sum(not token.special",
    ),
)  # fmt: skip
NEED, DECIDED, UNASKED = "yn", "YN", "S"
# The row that is finished when the page opens.
FINISHED = " ".join(f"0{n}{UNASKED}" for n in range(len(COLUMNS)))


@dataclass(frozen=True, slots=True)
class Deciding(OnText):
    """A text, the machines that read it, and what was guessed and settled of each.

    Attributes:
        model: the one that continues a text.
        guesser, reader, filler, mender: those that fill in hidden words, predict in both
            directions, fill in spans, mend a damaged text; empty for none.
        guesses: a cell each: its row, its column, and what was guessed: y or n, in capitals where
            the cell is settled, or S for one that is settled without a guess.
        probe: the row that is looked at.
        probed: the column.
    """

    guesser: str = model_param("", N_("Model that fills in hidden words"))
    reader: str = model_param("", N_("Model that predicts in both directions"))
    filler: str = model_param("", N_("Model that fills in spans"))
    mender: str = model_param("", N_("Model that mends a damaged text"))
    guesses: str = param(
        FINISHED,
        pattern=r"(\d\d[ynYNS] ?){0,80}",
        form=N_("cells with a guess each"),
        high=320,
        label=N_("Guesses"),
    )
    probe: int = param(0, low=0, high=len(KINDS) - 1, picked=True, label=N_("Use"))
    probed: int = param(0, low=0, high=len(COLUMNS) - 1, picked=True, label=N_("Machine"))

    @property
    def machines(self) -> Mapping[int, str]:
        """The machine of each column that has one."""
        named = {n: getattr(self, name) for n, (_ability, name) in enumerate(COLUMNS)}
        return {n: name for n, name in named.items() if name}

    @property
    def read(self) -> str:
        """As much of the text as is read."""
        words = list(WORD.finditer(self.text))
        return self.text[: words[MOST - 1].end()] if len(words) > MOST else self.text

    @property
    def letters(self) -> dict[tuple[int, int], str]:
        """What stands in each cell that is not empty."""
        by_cell = {(int(guess[0]), int(guess[1])): guess[2] for guess in self.guesses.split()}
        machines = self.machines
        return {
            cell: guess
            for cell, guess in by_cell.items()
            if cell[0] < len(KINDS) and cell[1] in machines
        }

    @property
    def settled(self) -> list[tuple[int, int]]:
        """The cells whose probes are run, by row and column."""
        return sorted(cell for cell, guess in self.letters.items() if guess in DECIDED + UNASKED)

    @property
    def guessed(self) -> list[tuple[int, int]]:
        """The cells with a guess that nothing has settled yet."""
        return sorted(cell for cell, guess in self.letters.items() if guess in NEED)


def guess(params: Deciding, row: int, column: int, *, can: bool) -> str:
    """The guesses with one more, or another one."""
    return _with(params, {(row, column): NEED[not can]})


def settle(params: Deciding, cells: list[tuple[int, int]]) -> str:
    """The guesses with some of them settled; a cell without a guess is settled as it is."""
    guesses = params.letters
    return _with(params, {cell: guesses.get(cell, UNASKED).upper() for cell in cells})


def joined(guesses: str, others: str) -> str:
    """Guesses with cells that are settled besides: one that was guessed keeps its guess."""
    by_cell, more = _by_cell(guesses), _by_cell(others)
    settled = {
        cell: by_cell[cell].upper() if cell in by_cell else what for cell, what in more.items()
    }
    return _guesses_text(by_cell | settled)


def _by_cell(guesses: str) -> dict[str, str]:
    return {guess[:2]: guess[2] for guess in guesses.split()}


def _guesses_text(cells: Mapping[str, str]) -> str:
    return " ".join(f"{cell}{what}" for cell, what in sorted(cells.items()))


def _with(params: Deciding, changes: Mapping[tuple[int, int], str]) -> str:
    more = {f"{row}{column}": what for (row, column), what in changes.items()}
    return _guesses_text(_by_cell(params.guesses) | more)


# --- the probes of the cells that are settled: what every view of the table is computed from


At = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Decision:
    """The table as far as it is settled.

    Attributes:
        params: what was asked for.
        probed: of each settled cell, by row and column, what its probe has found.
    """

    params: Deciding
    probed: Mapping[At, ProbeResult]

    @property
    def machines(self) -> Mapping[int, str]:
        """The machine of each column."""
        return self.params.machines

    @property
    def cells(self) -> int:
        """How many cells the table has."""
        return len(KINDS) * len(self.machines)

    @property
    def row(self) -> int:
        """The row that is looked at."""
        return nearest("probe", self.params.probe, len(KINDS) - 1)

    @property
    def column(self) -> int:
        """The column that is looked at: one that has a machine."""
        return min(self.machines, key=lambda column: abs(column - self.params.probed))

    @property
    def kind(self) -> MachineKind:
        """The row that is looked at."""
        return KINDS[self.row]

    def number(self, cell: At) -> float:
        """What was measured for a cell; NaN while it is open."""
        return self.probed[cell].number if cell in self.probed else math.nan

    def can(self, cell: At) -> bool | None:
        """What a cell says; None while it is open, or where the text is too short for the probe."""
        probed = self.probed.get(cell)
        if probed is None or (math.isnan(probed.number) and not probed.lacks):
            return None
        return not probed.lacks and probed.number >= KINDS[cell[0]].least

    def right(self, cell: At) -> bool | None:
        """Whether what was guessed of a settled cell is so; None where nothing was."""
        guess, can = self.params.letters.get(cell, ""), self.can(cell)
        return None if can is None or guess not in tuple(DECIDED) else (guess == DECIDED[0]) == can

    def able(self, row: int) -> list[str] | None:
        """The machines that can do what a row says, best first; None while one of it is open."""
        cells = [(row, column) for column in self.machines]
        if any(self.can(cell) is None for cell in cells):
            return None
        best = sorted(filter(self.can, cells), key=lambda cell: -self.probed[cell].number)
        return [name_of(self.machines[column]) for _row, column in best]

    def next_open(self) -> At | None:
        """The first cell after the one that is looked at that is not settled; None if all are."""
        every = [(row, column) for row in range(len(KINDS)) for column in self.machines]
        index = every.index((self.row, self.column))
        return next(
            (cell for cell in every[index:] + every[:index] if cell not in self.probed), None
        )

    @property
    def along_rows(self) -> Along:
        """What machines are wanted for, for the numbers."""
        return Along("use", _("use"), [_(kind.says) for kind in KINDS])

    @property
    def along_machines(self) -> Along:
        """The columns, for the numbers."""
        return Along("machine", _("machine"), [name_of(model) for model in self.machines.values()])

    def selection(self) -> dict[str, int | None]:
        """By the names of the parameters."""
        return {"probe": self.row, "probed": self.column}


def written(kind: MachineKind, number: float) -> str:
    """A number of a row as people read it."""
    if math.isnan(number):
        return "–"
    return percent(number) if kind.unit == "share" else grouped(round(number))


class DecidingView(View[Deciding, Decision]):
    """A view of the table. What is not settled is not run, so that nothing of it is sent."""

    Params, needs = Deciding, Needs("words", ("tokens",))

    def requests(self, params: Deciding) -> tuple[Request, ...]:
        return tuple(request_of(params, cell) for cell in params.settled)

    def soon(self, params: Deciding) -> Sequence[Request]:
        """Of what is guessed, and of the row that is looked at.

        The probes that read sentences of their own take longest; they are the same for every text.
        """
        rows = [n for n, kind in enumerate(KINDS) if kind.probe in WITHOUT_TEXT]
        near = [(row, column) for row in (params.probe, *rows) for column in params.machines]
        open_ = [cell for cell in (*params.guessed, *near) if cell not in params.settled]
        return [request_of(params, cell) for cell in dict.fromkeys(open_)]

    def compute(self, runs: Sequence[ProbeResult], params: Deciding) -> Decision:
        return Decision(params, dict(zip(params.settled, runs, strict=True)))


def request_of(params: Deciding, cell: At) -> ProbeRequest:
    """The probe that settles a cell."""
    probe = KINDS[cell[0]].probe
    text = "" if probe in WITHOUT_TEXT else params.read
    return ProbeRequest(params.machines[cell[1]], probe, text)


# --- one probe: the number of each machine beside the threshold, and the verdict ------


LONGEST = 160  # characters of what a machine has read or written
ABOVE = 0.06  # of the scale: how far above its bar, or the threshold, a number stands
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25)  # between the marks of the axis
FILLER = 3  # the column of the machine that fills in spans


class WhichProbeView(DecidingView):
    """Bars of the machines whose cells are settled, and a line at the threshold."""

    name = "which.probe"

    def line(self, record: Decision) -> tuple[str, str]:
        return PROBES_FILE, record.kind.code

    def values(self, record: Decision) -> Mapping[str, Values]:
        axes = (record.along_machines,)
        selected = (list(record.machines).index(record.column),)
        probes = [record.probed.get((record.row, column)) for column in record.machines]
        numbers = np.array([np.nan if probe is None else probe.number for probe in probes])
        beside = np.array([np.nan if probe is None else probe.beside for probe in probes])
        seconds = np.array([np.nan if probe is None else probe.seconds for probe in probes])
        return {
            "number": Values(_(record.kind.measures), numbers, axes, selected=selected),
            "beside": Values(_("to compare with"), beside, axes, selected=selected),
            "least": Values(_("threshold"), np.array(record.kind.least)),
            "seconds": Values(_("duration"), seconds, axes, _("s")),
        }

    def describe(self, record: Decision) -> Sentence:
        kind = record.kind
        sentences = [sentence(
            _("“{use}” needs {least} or more."),
            use=Mark(_(kind.says), "strong"), least=Mark(written(kind, kind.least), "weight"),
        )]  # fmt: skip
        for column, model in record.machines.items():
            sentences += self.verdict(record, column, model)
        waiting = [name_of(model) for column, model in record.machines.items()
                   if (record.row, column) not in record.probed]  # fmt: skip
        if waiting:
            sentences.append(sentence(_("Not settled yet: {models}."), models=listed(waiting)))
        return join(sentences)

    def verdict(self, record: Decision, column: int, model: str) -> list[Sentence]:
        """What the number of a machine says; nothing while it is open."""
        cell = (record.row, column)
        if cell not in record.probed:
            return []
        probe, can, name = record.probed[cell], record.can(cell), Mark(name_of(model), "strong")
        if probe.lacks:
            return [sentence(_("{model} cannot {ability}."), model=name, ability=_(probe.lacks))]
        if can is None:
            return [sentence(_("This text is too short to ask {model}."), model=name)]
        template = _("{model} reaches {number}: it can.") if can else (
            _("{model} reaches {number}: it cannot.")
        )  # fmt: skip
        number = written(record.kind, probe.number)
        return [sentence(template, model=name, number=Mark(number, "accent" if can else "key"))]

    def draw(self, record: Decision) -> Plot:
        kind = record.kind
        shown = [
            _Bar(n, record.number(cell), bool(record.can(cell)))
            for n, cell in enumerate((record.row, column) for column in record.machines)
            if not math.isnan(record.number(cell))
        ]
        top = max([kind.least, *(bar.number for bar in shown)])
        full = top * 1.15  # with room for what is written above the bars
        ticks = round_ticks(top) if kind.unit == "share" else None
        return Plot(
            title=_(kind.measures),
            x=PlotAxis(title=_("dashed line: the threshold, {least}").format(
                least=written(kind, kind.least)
            ), categories=[
                name_of(model) + ("" if (record.row, column) in record.probed else " ?")
                for column, model in record.machines.items()
            ]),
            y=PlotAxis(
                title=_("share") if kind.unit == "share" else _("tokens"), range=(0.0, full),
                ticks=ticks, labels=[written(kind, tick) for tick in ticks] if ticks else None,
            ),
            series=[_bars(kind, shown)],
            words=[
                PlaceWords(x=bar.place, y=_above(bar.number, kind.least, full),
                           text=written(kind, bar.number))
                for bar in shown
            ],
            rules=[Rule(y=kind.least, role="weight", dash="dash", width=2)],
            height=270,
            fixed=True,
        )  # fmt: skip

    def notes(self, record: Decision) -> Sequence[Note]:
        kind = record.kind
        notes = [Note("more", sentence(
            _("The threshold is {least}: {why}."),
            least=written(kind, kind.least), why=_(kind.why),
        ))]  # fmt: skip
        filler = record.machines.get(FILLER)
        if kind.probe == "chain" and record.can((record.row, FILLER)) and filler:
            notes.append(Note("more", sentence(
                _("Here the decoder of {model} alone is asked, and it can score a text that it "
                  "writes. But in training it writes only the spans that are hidden. That is why "
                  "the page “Ways to train” gives it no probability of the text."),
                model=name_of(filler),
            )))  # fmt: skip
        texts: dict[str, None] = {}
        for column, model in record.machines.items():
            probe = record.probed.get((record.row, column))
            if probe is None or not probe.said or not kind.shows:
                continue
            words = [shortened(text.strip(), LONGEST) for text in probe.said]
            texts[_(kind.shows).format(*words, model=name_of(model),
                                       beside=written(kind, probe.beside))] = None  # fmt: skip
        told_of = (Note("more", sentence("{said}", said=text)) for text in texts)
        return [*notes, *told_of, *_question(record)]

    def controls(self, record: Decision) -> Sequence[Control]:
        cell = (record.row, record.column)
        if cell not in record.probed:
            label = _("Your guess for {model}:").format(model=name_of(record.machines[cell[1]]))
            return [Control("guesses", "", "buttons", label=label, buttons=_guesses(record))]
        following = record.next_open()
        buttons = []
        if following is not None:
            sets = dict(zip(("probe", "probed"), map(str, following), strict=True))
            buttons.append(Press(_("Guess the next cell"), sets))
        return [Control("guesses", "", "buttons", label=_("Guesses"), buttons=buttons)]


def _question(record: Decision) -> list[Note]:
    """What the row asks, and whether the guess of the cell that is looked at was right."""
    kind = record.kind
    notes = [Note("question", sentence(
        "{asks} {does}", asks=Mark(_(kind.asks), "strong"), does=_(kind.does),
    ))]  # fmt: skip
    right = record.right((record.row, record.column))
    if right is not None:
        template = _("Your guess for {model} was right.") if right else (
            _("Your guess for {model} was wrong.")
        )  # fmt: skip
        model = name_of(record.machines[record.column])
        reason = _(REASONS[COLUMNS[record.column][0]])
        notes.append(Note("question", join([sentence(template, model=model), sentence(reason)])))
    return notes


def _guesses(record: Decision) -> list[Press]:
    """The two guesses, and what settles the cell, and others that have been guessed."""
    params, cell = record.params, (record.row, record.column)
    mark, waiting = params.letters.get(cell, ""), params.guessed
    buttons = [
        Press(label, {"guesses": guess(params, *cell, can=can)}, chosen=mark == NEED[not can])
        for can, label in ((True, _("It can")), (False, _("It cannot")))
    ]
    settled = {"guesses": settle(params, [cell])}
    buttons.append(Press(_("Settle it"), settled, able=bool(mark)))
    if len(waiting) > 1:
        label = _("Settle all {n} guesses").format(n=len(waiting))
        buttons.append(Press(label, {"guesses": settle(params, waiting)}))
    return buttons


@dataclass(frozen=True, slots=True)
class _Bar:
    """The number of a machine, where it stands, and what it says."""

    place: int
    number: float
    can: bool


def round_ticks(top: float) -> list[float]:
    """Marks of an axis of shares from 0 to the largest: at most six, at round numbers."""
    step = next((size for size in STEPS if top / size <= 5), STEPS[-1])
    return [n * step for n in range(int(top / step + 1e-9) + 1)]


def _above(number: float, least: float, full: float) -> float:
    """Where the number of a bar stands: above it, and never on the line of the threshold."""
    place = number + full * ABOVE
    return least + full * ABOVE if abs(place - least) < full * ABOVE else place


def _bars(kind: MachineKind, shown: Sequence[_Bar]) -> BarSeries:
    return BarSeries(
        x=[bar.place for bar in shown],
        y=[bar.number for bar in shown],
        role=["value" if bar.can else "key" for bar in shown],
        name=_(kind.measures),
        text=[_("can") if bar.can else _("cannot") for bar in shown],
        hover="{name}: {y:.4g}\n{text}",
        width=0.6,
    )


# --- the table: a row for each use, a column for each machine, as far as it is guessed and settled


OPEN, GUESSED, CAN, CANNOT, UNKNOWN = range(5)
ROOM = 130


class WhichTableView(DecidingView):
    """Open, guessed, or settled with its number."""

    name = "which.table"

    def values(self, record: Decision) -> Mapping[str, Values]:
        axes, selected = (record.along_rows, record.along_machines), _place(record)
        numbers = _grid(record, record.number)
        verdicts = _grid(record, lambda cell: _as_number(record.can(cell)))
        right = _grid(record, lambda cell: _as_number(record.right(cell)))
        return {
            "number": Values(_("what the probe measured"), numbers, axes, selected=selected),
            "can": Values(_("can"), verdicts, axes, selected=selected),
            "right": Values(_("guessed right"), right, axes, selected=selected),
            "least": Values(
                _("threshold"), np.array([kind.least for kind in KINDS]), axes[:1],
                selected=(record.row,),
            ),
        }  # fmt: skip

    def describe(self, record: Decision) -> Sentence:
        sentences = [sentence(
            _("{n} of {all} cells are settled."),
            n=Mark(str(len(record.probed)), "accent"), all=str(record.cells),
        )]  # fmt: skip
        marked = [verdict for verdict in map(record.right, record.probed) if verdict is not None]
        if marked:
            sentences.append(sentence(
                _("Right guesses: {right} of {n}."),
                n=str(len(marked)), right=Mark(str(sum(marked)), "accent"),
            ))  # fmt: skip
        return join([*sentences, *_advice(record)])

    def draw(self, record: Decision) -> Matrix:
        title = _("What each machine can do on this text")
        kinds = _grid(record, lambda cell: _kind(record, cell)).astype(np.uint8)
        columns = list(record.machines)
        sheet = Sheet(
            title=title,
            array="kinds",
            texts=[[_text(record, (row, column)) for column in columns]
                   for row in range(len(KINDS))],
            rows=Axis([_(kind.says) for kind in KINDS], "probe", "accent", room=ROOM),
            cols=Axis([name_of(record.machines[column]) for column in columns], "probed", "query",
                      ids=columns),
            scale=Scale("category"),
            categories=[
                Category(_("open"), "surface"),
                Category(_("guessed, not settled"), "position", share=0.2),
                Category(_("can"), "value", share=0.35),
                Category(_("cannot"), "key", share=0.3),
                Category(_("the text is too short for this probe"), "residual", share=0.2),
            ],
            least_cell=52,
            max_cell=150,
            row_height=34,
            axes=sentence(
                _("rows: what a machine may be wanted for · green: it can · orange: it cannot · "
                  "✓ and ✗: your guess was right or wrong")
            ),
            alt="",
        )  # fmt: skip
        return Matrix(
            selection=record.selection(), sheets=[sheet],
            arrays={"kinds": kinds},
        )  # fmt: skip

    def notes(self, record: Decision) -> Sequence[Note]:
        cut = record.params.text[len(record.params.read) :].strip()
        if not cut:
            return []
        return [Note("warning", sentence(_("The probes read the text up to here: “{cut}” is left "
                                           "out."), cut=cut[:60]))]  # fmt: skip


def _advice(record: Decision) -> list[Sentence]:
    """Whom to take, of each row that is settled as a whole."""
    sentences = []
    for row, kind in enumerate(KINDS):
        able = record.able(row)
        if able is None:
            continue
        template = (
            _("For “{use}” take: {machines}.")
            if able
            else _("For “{use}” no machine here will do.")
        )
        sentences.append(sentence(
            template, use=Mark(_(kind.says), "strong"),
            **({"machines": Mark(listed(able, "or"), "accent")} if able else {}),
        ))  # fmt: skip
    return sentences


def _grid(record: Decision, of: Callable[[At], float]) -> NDArray[np.float64]:
    """A number for each cell."""
    return np.array(
        [[of((row, column)) for column in record.machines] for row in range(len(KINDS))], float
    )


def _place(record: Decision) -> tuple[int, int]:
    """The cell that is looked at."""
    return record.row, list(record.machines).index(record.column)


def _as_number(verdict: bool | None) -> float:
    return np.nan if verdict is None else float(verdict)


def _kind(record: Decision, cell: At) -> int:
    can = record.can(cell)
    if cell in record.probed:
        return UNKNOWN if can is None else CAN if can else CANNOT
    return GUESSED if cell in record.params.guessed else OPEN


def _text(record: Decision, cell: At) -> str:
    """What stands in a cell."""
    kind = _kind(record, cell)
    if kind == OPEN:
        return "?"
    if kind == GUESSED:
        return _("yes?") if record.params.letters[cell] == NEED[0] else _("no?")
    if kind == UNKNOWN:
        return "–"
    number = written(KINDS[cell[0]], record.probed[cell].number)
    if record.probed[cell].lacks:
        text = _("no")
    else:
        text = (_("yes {number}") if kind == CAN else _("no {number}")).format(number=number)
    right = record.right(cell)
    return text if right is None else f"{'✓' if right else '✗'} {text}"
