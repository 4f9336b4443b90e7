"""Differences from the reference that are meant, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

# Everything is compared with this commit: the last one before views were taken apart.
REFERENCE = "e435c592e2e3ad8c2069a496528342bef6c1eea0"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why differences in a place are meant.

    Attributes:
        view, case, path: patterns, ``*`` matching anything. Brackets are themselves.
        why: one sentence for the report.
        moved: the values may stand in another place, but each must still be somewhere among what
            is new in the same case; what is lost stays a difference.
        says: pattern of the value that is gone, or else of the one that is new.
    """

    view: str
    case: str
    path: str
    why: str
    moved: bool = False
    says: str = "*"

    def covers(self, view: str, case: str, path: str, said: str = "") -> bool:
        """Whether a difference is one of these."""
        pairs = ((view, self.view), (case, self.case), (path, self.path), (said, self.says))
        return all(fnmatchcase(text, glob.replace("[", "[[]")) for text, glob in pairs)


_LEFT_OUT = "a field without a value is left out"
_PLOT = "the plot's own type says it, where Plotly's default was meant"
_SERIES = "the name of the series stands in the same box"
_FILES = "a plot has files, too"
_AS_SHOWN = "a file shows what the screen shows: the same stage, the same part, the same words"
_SELECTED = "a file shows what is selected on the screen"
_SAID = "said, where it was meant"
_ROLE = "every axis has a role"
_BOTH = "a table is headed by what its rows and columns are, one column for each"
_FALLBACK = "the text alternative is the reading; each frame had it, or has its own"
_SOURCE = "the line of code has changed, or moved"
_NOISE = "float32 noise: the layers are traced as equations"
_LEFT_OVER = "what is left of a sum of floats, near 0"
_UNSCALED = "float32 noise, which the large scores of a row that is not scaled make larger"
_EXACT = "softmax in double precision: what is left of 1 - 2 + 1 is no longer rounded away"
_NAMED = "an ability is named by the words of every page, with the error of every view"
_STACK = "one of several stacks can be chosen"
_NORM = "one more norm can be chosen"
_TARGET = "what a decoder reads can be given"
_CARD = "the cards are shorter: the runs are listed on the cards of the commits that they name"
_WRITTEN_ANEW = "training and checkpoints are written anew"
_SHEET = "payload.header.sheets[*]"
_STEP = f"{_SHEET}.how.steps[*]"

NORMS = (
    Reason("norm.steps", "*", "payload.header.sheets[0].how.per_row[3][0].now",
           _LEFT_OUT),
    Reason("norm.steps", "*", "steps.n_by", _LEFT_OUT),
    Reason("page", "/layernorm*", "steppers[0].n_by", _LEFT_OUT),
    Reason("norm.rms", "*", "payload.header.selection.*", "a live file opens on the chosen cell"),
    Reason("norm.steps", "*", "payload.header.sheets[0].how.sources*",
           "LayerNorm is traced as its equation, and lines have moved in their files"),
    *(
        Reason(f"norm.{view}", "equal, no eps", "table.words", "what is no number is left empty")
        for view in ("steps", "rms")
    ),
    *(Reason(f"norm.{view}", "*", "drawing", _AS_SHOWN) for view in ("steps", "rms")),
    Reason("norm.strip", "*", "drawing", "the reading stands below the chips, as on the screen"),
    Reason("norm.rms", "text *", "payload.arrays.difference", _NOISE),
    Reason("norm.rms", "text *", "table.numbers[*,4]", _NOISE),
    *(
        Reason("norm.*", "text bert *", path, _LEFT_OVER)
        for path in ("payload.arrays.mean", "table.numbers[*,2]")
    ),
    *(
        Reason(kind, case, path, _NORM)
        for kind, case, path in (("page", "/layernorm link 42", "words"),
                                 ("link", "42 /layernorm*", "read.norm.*.problems[1]"))
    ),
    Reason("link", "*/layernorm*", "read.*.params.stack", _STACK),
    Reason("page", "/layernorm*", "figures", _FILES),
    *(
        Reason("stream.gradient", "bert own", path,
               "float32 noise: embeddings are traced as equations, and without norms six blocks "
               "enlarge their last digit (weights rounded anew give 948)")
        for path in ("reading.*", "table.numbers[*,2]", "figure.data[1].y")
    ),
    *(
        Reason("stream.*", "*", f"figure.{path}", _PLOT)
        for path in ("data[*].yaxis", "data[*].orientation", "data[*].showlegend", "axes.*.type",
                     "axes.xaxis.range", "axes.xaxis.dtick", "axes.xaxis.tickvals")
    ),
    *(
        Reason(f"stream.{view}", "*", "figure.axes.yaxis.range", _PLOT)
        for view in ("gradient", "alike")
    ),
    *(
        Reason("stream.sizes", "*", f"figure.{path}", "places are numbers, and have their names")
        for path in ("axes.xaxis.ticktext*", "data[*].customdata*")
    ),
    Reason("stream.*", "*", "figure.data[*].hovertemplate",
           _SERIES),
    Reason("stream.sizes", "*", "figure.data[*].marker.color*", "bars may differ in colour"),
)  # fmt: skip
PREDICTIONS = (
    *(
        Reason(view, "* cannot", path, _NAMED)
        for view, path in (
            ("predict.*", "error.sentence"), ("predict.*", "error.class"),
            ("masked.*", "error"), ("masked.*", "error.sentence"),
        )
    ),
    *(Reason(view, "*", "payload.header.alt", _FALLBACK)
      for view in ("predict.next", "masked.beside", "masked.why", "masked.follows")),
    *(Reason(view, "*", "payload.header.frames[0].alt", _FALLBACK)
      for view in ("masked.beside", "masked.why", "masked.follows")),
    *(
        Reason(view, "*", f"payload.header.{path}", _LEFT_OUT)
        for view in ("masked.why", "masked.follows")
        for path in ("zero", "labels.cut")
    ),
    Reason("predict.next", "*", "steps.n_by", _LEFT_OUT),
    Reason("page", "/next-token*", "steppers[0].n_by", _LEFT_OUT),
    *(Reason(view, "*", "payload.header.selection.*", _SELECTED)
      for view in ("predict.cache", "masked.each", "masked.example")),
    *(
        Reason(f"predict.{view}", "6 token '100000'", f"{path}.selection.token",
               "a position beyond the text is the last one that is shown")
        for view, path in (
            ("next", "payload.header"), ("next", "steps"), ("surprisal", "payload.header"),
        )
    ),
    Reason("predict.next", "6 token '100000'", "drawing",
           "the bars of the title's token are drawn, as on the screen"),
    *(Reason(view, "*", "payload.header.sheets[0].*.role", _ROLE)
      for view in ("predict.layers", "predict.cache", "masked.each")),
    *(Reason(view, "*", "payload.header.*field", "one name of the state means one thing")
      for view in ("masked.each", "masked.example")),
    Reason("masked.unread", "*", "payload.header.field", _SAID),
    Reason("masked.each", "hide 'none'", "error", "nothing hidden is an empty matrix, no crash"),
    Reason("masked.each", "*", "table.*", "a hidden piece has one line, not one for each rank"),
    Reason("masked.beside", "*", "table.words", f"{_NOISE}; the sixth digit inside a word"),
    Reason("predict.surprisal", "context full", "payload.header.readings*", _NOISE),
    *(
        Reason("masked.follows", case, path, "the second text gives way before the first is cut")
        for case in ("long", "long first")
        for path in ("further.cut", "payload.arrays.probs", "table.numbers*", "drawing")
    ),
    Reason("masked.follows", "long", "reading.*",
           "the second text gives way before the first is cut"),
    *(Reason(f"masked.{view}", case, "drawing", "a long text has several lines")
      for view, case in (("follows", "signs"), ("unread", "bert long"))),
    Reason("predict.next", "*", "drawing",
           "the stage is named, what was cut says so, and the note stands below"),
    Reason("predict.surprisal", "*", "drawing", "the reading stands below, as on the screen"),
    Reason("predict.layers", "*", "drawing", _AS_SHOWN),
    Reason("predict.cache", "*", "drawing",
           "grey is grey: the categories have a legend; the window is said"),
    *(Reason(f"masked.{view}", "*", "drawing", "the reading stands below; typed masks are typed")
      for view in ("strip", "example")),
    Reason("masked.each", "*", "drawing", _AS_SHOWN),
    Reason("masked.beside", "*", "drawing", "both sides are named as on the screen, with the note"),
    *(
        Reason("masked.dice", "*", f"figure.{path}", _PLOT)
        for path in ("axes.*.type", "axes.yaxis.*", "data[0].x*", "data[0].y*", "data[0].name",
                     "data[0].hoverinfo", "shapes[*].yref")
    ),
    Reason("masked.dice", "bert markup", "figure.data[0].hovertext[*]",
           "what Plotly would take for markup is escaped"),
    *(
        Reason("masked.dice", "*", f"figure.data[0].{path}", "what a point says is a template",
               moved=True)
        for path in ("hovertext[*]", "hovertemplate", "customdata*")
    ),
    *(
        Reason("masked.dice", "*", f"figure.shapes[*].{path}",
               "zones stand before their borders", moved=True)
        for path in ("type", "x0", "x1")
    ),
    Reason("page", "/next-token signs", "words", "a space is named by its sign, as everywhere",
           says="“*” comes first *"),
    Reason("page", "/masked-word*", "figures", _FILES),
    *(
        Reason(view, "*", path, _TARGET)
        for view, path in (
            ("link", "read.*.params.target"), ("predict.next", "further.looked at.target"),
        )
    ),
    Reason("link", "*/masked-word*", "read.*.params.example_token",
           "the piece that is looked at is in the link"),
)  # fmt: skip
MAP = (
    Reason("map.run", "*", "payload.header.*",
           "what was said of the one stack is said of its tower", moved=True),
    *(
        Reason("map.run", case, f"payload.arrays.{path}", _NOISE)
        for case, path in (("bert *", "ffn.*"), ("bert one token", "add_2.5"),
                           ("gpt signs", "logits"))
    ),
    Reason("page", "/ *", "words", "a menu of files, and the towers' own names", moved=True),
    Reason("page", "/ *", "places", "an attention to another stream has a norm", moved=True),
    Reason("link", "*", "read.map.run.params.*",
           "a kind of attention and a row of the source can be chosen", moved=True),
)  # fmt: skip
FFN = (
    Reason("ffn.strip", "*", "drawing", "the reading stands below the chips, as on the screen"),
    Reason("ffn.units", "*", "drawing", "the window that is shown is drawn, and what its axes are"),
    Reason("ffn.words", "*", "drawing", "as on the screen: no numbers of ranks, and what is drawn"),
    Reason("ffn.words", "*", "payload.header.sheets[0].cols.role",
           _ROLE),
    Reason("ffn.units", "*", "payload.header.sheets[0].source.line",
           _SOURCE),
    *(
        Reason("ffn.strip", case, path, _NOISE)
        for case, path in (("bert markup", "payload.header.readings[*]"),
                           ("bert unit", "table.numbers[*,3]"))
    ),
    *(
        Reason("ffn.curve", case, path, _NOISE)
        for case, path in (("bert unit", "table.numbers[*,2]"), ("bert *", "figure.data[1].y"))
    ),
    *(
        Reason("ffn.curve", case, f"figure.data[{at}]*", "bars are counted by us, for files too")
        for case, at in (("*'gated'", 6), ("*", 3))
    ),
    *(
        Reason("ffn.curve", case, f"figure.data[{at}].{axis}*", "one point is an array, too")
        for case, at in (("*'gated'", 5), ("*", 2))
        for axis in "xy"
    ),
    Reason("ffn.curve", "*", "figure.data[*].text*", "names of units stand beside their points",
           moved=True),
    Reason("ffn.curve", "*", "figure.data[*].customdata*",
           "names of units stand beside their points"),
    Reason("ffn.curve", "*", "figure.data[*].hovertemplate",
           _SERIES),
    *(
        Reason("ffn.curve", "*", f"figure.{path}", _PLOT)
        for path in ("data[*].yaxis", "data[*].showlegend", "axes.*.type", "axes.yaxis.range",
                     "axes.yaxis2.ticktext*")
    ),
    Reason("link", "*", "read.ffn.*.params.stack", _STACK),
    Reason("page", "/feed-forward *", "figures", _FILES),
)  # fmt: skip
MASKS = (
    *(
        Reason("masks.grid", "*", f"{_SHEET}.{field}", _LEFT_OUT)
        for field in ("row_height", "mask", "paint")
    ),
    Reason("masks.grid", "*", f"{_SHEET}.source.line", _SOURCE),
    Reason("masks.batch", "*", f"{_SHEET}.cols.role",
           _ROLE),
    Reason("masks.worked", "*", "payload.header.selection.*",
           "a live file opens on the chosen cell and stage"),
    *(
        Reason(f"masks.{view}", case, path, _LEFT_OVER)
        for view, path in (
            ("grid", "notes"), ("prediction", "reading.text"), ("prediction", "payload.header.alt"),
        )
        for case in ("*padding*", "batch *")
    ),
    *(
        Reason(f"masks.{view}", case, path, _NOISE)
        for view, case, path in (
            ("grid", "gpt long", "payload.arrays.*"),
            ("grid", "padding bert sentence '2'", "payload.arrays.change"),
            ("strip", "gpt signs", "payload.header.readings*"),
        )
    ),
    *(
        Reason("masks.grid", case, "notes", "the page says that a mask cannot be read, on top")
        for case in ("no mask at all", "nonsense")
    ),
    Reason("masks.strip", "*", "drawing", "the strip itself is drawn, not a matrix of its rows"),
    Reason("masks.prediction", "*", "drawing", "both distributions are drawn, with a legend"),
    Reason("masks.batch", "*", "drawing",
           "as on the screen: sentences are named, columns are not, padding says that it is"),
    Reason("masks.worked", "*", "drawing", "the stage that is shown is drawn, not always the last"),
    Reason("masks.learning", "*", "figure.data[*].hovertemplate",
           "the name, which Plotly put before the number, stands in the template"),
    *(
        Reason("masks.learning", "*", path, _PLOT)
        for path in ("figure.data[*].showlegend", "figure.data[*].yaxis", "figure.axes.*axis.type",
                     "figure.axes.*axis.range")
    ),
    *(
        Reason("masks.learning", "*", f"figure.{mark}[0].xref", "the same place by its other name")
        for mark in ("annotations", "shapes")
    ),
    *(
        Reason("masks.grid", case, "drawing", "the window that is shown is drawn, and said")
        for case in ("*signs", "*markup", "*long*")
    ),
)  # fmt: skip
POSITIONS = (
    Reason("embed.lookup", "*", "drawing", "the window that is shown is drawn, and said"),
    Reason("embed.lookup", "*", f"{_STEP}.makes*", "no browser reads it"),
    Reason("embed.lookup", "*", f"{_STEP}.now", "a step that is not the sheet's says nothing"),
    Reason("embed.lookup", "*", f"{_STEP}.names", _LEFT_OUT),
    Reason("embed.lookup", "*", "payload.header.sheets[*].source.*", _SOURCE),
    Reason("embed.lookup", "*", "table.columns", _BOTH),
    Reason("embed.tokens", "*", "drawing", "the strip is drawn with its reading"),
    Reason("embed.tokens", "*", "payload.header.field", _SAID),
    *(Reason(f"positions.{view}", "*", "table.columns", _BOTH)
      for view in ("binary", "pairs", "sinusoidal")),
    Reason("positions.binary", "*", "drawing", "a file says what rows and columns are"),
    Reason("positions.shuffle", "*", "drawing",
           f"the window that is shown is drawn, and said; {_NOISE}"),
    *(Reason("positions.shuffle", "*", path, _NOISE)
      for path in ("payload.arrays.change", "payload.header.sheets[0].alt", "reading.marks[2]*",
                   "reading.text", "table.numbers[*,3]")),
    *(Reason("positions.*", "*", f"figure.{path}", _PLOT)
      for path in ("axes.*.range", "axes.*.type", "axes.*.autorange", "data[*].yaxis")),
    *(Reason("positions.*", "*", f"figure.data[*].{path}", _PLOT, moved=True)
      for path in ("x", "x[*]", "y", "name", "showlegend", "zmin", "zmax")),
    Reason("positions.beyond", "*", "figure.data[*].xaxis",
           "two panels share one x axis; the lower one has the third y axis"),
    Reason("positions.*", "*", "figure.data[*].hovertemplate",
           "thousands stand apart, and the curve's name beside its number"),
    *(Reason(f"positions.{view}", "*", "figure.shapes*", "a rule runs through the whole plot")
      for view in ("pairs", "beyond")),
    Reason("positions.beyond", "*", "figure.axes.*.title",
           "two panels share one x axis; the lower one has the third y axis"),
    Reason("link", "* /positions*", "read.*.params.stream", "of which stream, where there are two"),
    Reason("page", "/positions*", "figures", _FILES),
    Reason("page", "/positions*", "steppers[0].n_by", _LEFT_OUT),
    Reason("page", "/positions*", "words", _SOURCE, says="computed by *"),
    Reason("page", "/positions*", "words", _NOISE, says="The shuffled text: *"),
)  # fmt: skip
TEXT = (
    Reason("text.tokens", "*", "drawing",
           "the heading, the bytes, what was cut and the reading are drawn, as on the screen"),
    Reason("text.encode", "*", "drawing",
           "the row that is shown is the last; thousands stand apart, as on the screen"),
    Reason("text.encode", "*", "steps.n", "the rows of the longest word; it was that of the words"),
    Reason("text.encode", "gpt one token", "steps*", "one row has no steps; they were hidden"),
    Reason("text.learnt", "one", "steps*", "no merge has no steps; they were hidden"),
    Reason("text.*", "bert *", "error.*", _NAMED),
    *(Reason(f"text.{view}", "*", "steps*", "a live file steps through the merges")
      for view in ("corpus", "pairs")),
    Reason("text.learnt", "*", "steps.n_by", _LEFT_OUT),
    Reason("text.learnt", "*", "steps.keys",
           "the page takes the keys away, a file has one stepper"),
    *(Reason(f"text.{view}", "*", "payload.header.field", _SAID)
      for view in ("corpus", "learnt")),
    Reason("text.corpus", "*", "payload.arrays.life", "the same numbers in more bytes"),
    Reason("text.corpus", "*", "drawing", "counts of 1 are not drawn on the screen either"),
    Reason("text.pairs", "*", "drawing", "what is counted is said, as on the screen"),
    Reason("text.pairs", "*", "payload.header.alt", _FALLBACK),
    Reason("text.pairs", "*", "payload.header.labels.cut", "no pair is ever cut"),
    *(Reason("text.code", "*", f"table.numbers[{place}]", "what no merge changes is said once")
      for place in ("0,2", "*,3", "*,4")),
    *(Reason(f"text.{view}", "*", f"figure.{path}", _PLOT)
      for view in ("bits", "code")
      for path in ("data[*].yaxis", "data[*].showlegend", "axes.*.type", "axes.*.range")),
    *(Reason("text.bits", "*", f"figure.{path}", _PLOT)
      for path in ("data[*].name", "axes.yaxis.tickvals", "axes.yaxis.ticktext*")),
    Reason("text.bits", "*", "figure.data[0].customdata*", "packed otherwise", moved=True),
    Reason("text.bits", "*", "figure.data[0].hovertemplate", "four digits, as numbers are written"),
    Reason("text.code", "*", "figure.data[*].hovertemplate",
           _SERIES),
    Reason("text.code", "*", "figure.shapes[0].yref", "the same place by its other name"),
    Reason("text.code", "one", "figure.data[*].x*", "one point is an array, too"),
    Reason("page", "/tokenization*", "figures", _FILES),
    Reason("page", "/tokenization*", "steppers[*].n_by", _LEFT_OUT),
    Reason("page", "/tokenization*", "steppers[*].n",
           "the rows of the longest word; it was that of the words"),
    Reason("page", "/tokenization link 14", "steppers*",
           "no word has a merge of the learnt code: the stepper was hidden, now there is none"),
)  # fmt: skip
ATTENTION = (
    *(Reason(f"attention.{view}", "*", "drawing", _AS_SHOWN)
      for view in ("weights", "row", "steps", "heads", "unscaled")),
    *(Reason("attention.steps", "*", f"payload.header.sheets[*].source.{part}", _SOURCE)
      for part in ("line", "code", "path")),
    Reason("attention.steps", "*", "steps.n_by", _LEFT_OUT),
    Reason("attention.steps", "gpt one token", "payload.arrays.out", _NOISE),
    *(Reason("attention.unscaled", "*", path, _UNSCALED)
      for path in ("payload.arrays.probs", "payload.header.alt", "reading.text",
                   "table.numbers[*,2]")),
    *(Reason(f"attention.{view}", "*", "table.numbers*", _NOISE)
      for view in ("weights", "row", "steps")),
    Reason("attention.lines", "*", "table.columns", _BOTH),
    *(Reason("attention.scaling", "*", path, _EXACT)
      for path in ("table.numbers[*,4]", "figure.data[3].y")),
    *(Reason("attention.scaling", "*", "table.columns", _BOTH, says=says)
      for says in ("d", "entropy *", "gradient *")),
    Reason("attention.scaling", "*", "figure.data[*].hovertemplate",
           _SERIES),
    *(Reason("attention.scaling", "*", f"figure.{path}", _PLOT)
      for path in ("data[*].showlegend", "axes.*.type", "axes.*.range", "axes.*.ticktext[*]",
                   "axes.yaxis2.tickvals")),
    *(Reason("link", "*", f"read.{views}.params.attention",
             "one of several attentions can be chosen")
      for views in ("attention.*", "masks.*")),
    *(Reason("page", f"/{page} *", "words", _SOURCE, says="computed by *")
      for page in ("tokenization", "heads", "masks", "next-token", "masked-word")),
    *(Reason("page", "/masks link 37", "words", _LEFT_OVER, says=f"{start}Run by itself *")
      for start in ("", "is ")),
    Reason("page", "/attention *", "steppers[0].n_by", _LEFT_OUT),
    *(Reason("page", f"/{page} *", "figures", _FILES, says="save")
      for page in ("attention", "masks")),
)  # fmt: skip
MODELS = (
    Reason("page", "/models *", "words", _CARD),
    *(Reason("call", "describe *", path, _CARD) for path in ("card", "metrics.run*")),
    *(Reason("call", "describe bert", f"{of}.{ability}",
             "a BERT without one of its heads can be loaded")
      for of in ("config", "facts") for ability in ("masked_words", "sentence_pairs")),
    Reason("call", "* gpt", "error.sentence", _NAMED),
    Reason("call", "* bert", "error.sentence", _NAMED),
    Reason("trace", "gpt pair", "error.sentence", _NAMED),
    Reason("trace", "bert last norm", "error.sentence", "the nearest name is offered"),
    Reason("trace", "* edited batch", "traces[0].values.*",
           "padding no longer counts in the mean that an edit puts in"),
    Reason("trace", "bert *", "traces[*].values.blocks.*.ln_*.mean", _LEFT_OVER),
    *(Reason("trace", case, f"traces[0].values.blocks.*.ffn.{path}", _NOISE)
      for case, path in (("bert ids", "out"), ("bert ids", "post.sample"),
                         ("bert markup", "post.sample"))),
    Reason("trace", "gpt edit: position off", "traces[0].values.*", f"{_NOISE}; without positions "
           "rounding the weights anew changes as much"),
)  # fmt: skip
REGISTRY = (
    *(Reason("registry", "views", "catalogue", why, says=says)
      for why, texts in (
          ("models are named by what they are, as their facts say",
           ("BERT reads in both *", "GPT reads from *")),
          ("what a link leaves out is named",
           ("Link copied, but without the text*", "The text is too long for a link*")),
          ("one small menu saves a figure", ("PNG", "SVG", "Read aloud as text")),
          (_FALLBACK, ("Probabilities of the next token",)),
          (_AS_SHOWN, ("The first {n} rows and columns are drawn.", "rows: * · hatched: *")),
          (_BOTH, ("query \\ key", "token \\ component", "entropy*", "gradient *caled",
                   "layer {i}")),
          (_NAMED, ("cutting words by *", "filling in *", "going on with *", "judging whether *",
                    "predicting the *", "reading *", "model {model} cannot do {ability}")),
          (_WRITTEN_ANEW,
           ("a line without *", "a multiple of {n} rows", "a run that *", "a step from 1 *",
            "after step *", "an even number", "another model's run*", "at least {n}",
            "does not hold *", "does not say how *", "given *", "left out*", "no finished run *",
            "no log of a run *", "no run has *", "tensor {name} does not *", "this run stands *",
            "{n}, as the run began*", "{value} is not supported*")),
      ) for says in texts),
    *(Reason("registry", "views", f"views.*.{name}", "more can be chosen than before")
      for name in ("target*", "attention*", "stack*", "stream*", "source_token*",
                   "example_token*")),
    Reason("registry", "views", "views.norm.*.norm[2].choices[*]", _NORM,
           moved=True),
    Reason("registry", "views", "views.translate.*", "a translation is a page of its own"),
)  # fmt: skip
_THIRD = "a third model stands on the shelf"
SHELF = (
    Reason("map.run", "no such model", "error.sentence", _THIRD),
    Reason("page", "*", "words", _THIRD, says="transformer"),
    Reason("page", "*", "words", _THIRD, says="TRANSFORMER, 3 + 3 layers"),
    Reason("page", "/ bert", "leads.Change the machine.model", "GPT comes after it"),
    Reason("page", "/ *", "words", "GPT comes after it", says="*GPT reads from left to right*"),
)
REASONS: tuple[Reason, ...] = (
    *SHELF, *NORMS, *PREDICTIONS, *MAP, *FFN, *MASKS, *POSITIONS, *TEXT, *ATTENTION, *MODELS, *REGISTRY,
)  # fmt: skip
