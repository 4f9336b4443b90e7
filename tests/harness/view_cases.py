"""The cases of every view: each text, each choice, the ends of each range, and what is hostile."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

Case = dict[str, Any]

SIGNS = "Éva 🙂👩‍👩‍👧 שלום القط e\u0301a\u0327 a\x00b\x07c\u200bd\u202ee\u2028 \ud800 \ue000 naïve"
MARKUP = "=1+1 <script>alert('1')</script> &amp; \"x\" {0} %s $x^2$ <|endoftext|> [SEP] [MASK] @a"
REPEATED = "The dog saw the sea. The dog saw the sea. The dog saw the sea. The dog"
NAMES = "Aragorn told Frodo to mind Lothlorien"
MASKED = "The cat sat on the [MASK] and looked at the moon"
SENTENCES = (
    "Once upon a time there was a little miller who had {} brown hens and a cart. ",
    "He went down to the river, where the water ran over {} smooth stones, and sang. ",
    "“Who has taken my {} apples?” asked the old woman; nobody knew. ",
)
LONG = "".join(SENTENCES[n % 3].format(n) for n in range(105))  # about 1500 words
TEXTS = {"signs": SIGNS, "markup": MARKUP, "repeated": REPEATED, "names": NAMES}
MODELS = ("gpt", "bert")
MASKS = ("own", "none", "causal", "padding", "prefix:3", "prefix:99", "window:2", "window:1")


def painted(rows: Sequence[str]) -> str:
    """A mask as a link writes it; "#" may attend."""
    may = np.array([[cell == "#" for cell in row] for row in rows])
    bits = base64.urlsafe_b64encode(np.packbits(may.reshape(-1)).tobytes()).decode()
    return f"painted:{len(rows)}:{bits.rstrip('=')}"


SMALL = painted(["#..", "##.", ".##"])
FITS = painted([("#." * 6)[n % 2 :] + "#" * (n % 2) for n in range(12)])  # GPT's default text
BLIND = painted(["#" + "." * 13, "." * 14, "##" + "." * 12, *["#" * 14] * 11])  # a row sees nothing
LARGE = painted(["#." * 10, ".#" * 10] * 10)
BATCHES = {
    "short": "Stop!\nGo.",
    "long": "One dog\n" + "A much longer sentence about dogs and what they do all day. " * 3,
    "many": "\n".join("abcdef"),
    "signs": f"{SIGNS}\n\n  \n=1+1",
    "none": " \n ",
}


def of_view(view: str, queries: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[Case]:
    for name, query in queries:
        texts = {key: str(value) for key, value in query.items()}
        yield {"kind": "view", "view": view, "case": name, "query": texts}


def texts(models: Sequence[str] = MODELS, *, long: Sequence[str] = ()) -> Iterator[tuple]:
    """Every text that a view of these models takes; ``long`` ones for some."""
    for model in models:
        yield f"{model} default", {"model": model}
        yield f"{model} one token", {"model": model, "text": "a"}
        for name, text in TEXTS.items():
            yield f"{model} {name}", {"model": model, "text": text}
    for model in long:
        yield f"{model} long", {"model": model, "text": LONG}


def each(name: str, values: Iterable[Any], **more: Any) -> Iterator[tuple]:
    """One query for each value of a parameter."""
    for value in values:
        said = " ".join(str(one) for one in more.values() if len(str(one)) < 12)
        yield f"{said} {name} {str(value)[:24]!r}".strip(), {**more, name: value}


AT = [
    ("gpt first block", {"layer": 0, "head": 3, "token": 4, "key": 2, "col": 5, "step": 4}),
    ("bert last block", {"model": "bert", "layer": 5, "head": 1, "token": 0, "key": 3, "col": 255}),
    ("beyond every range", {"layer": 255, "head": 255, "token": 10**5, "key": 10**5, "col": 10**5}),
    ("masked word", {"model": "bert", "text": MASKED, "layer": 3, "head": 2, "token": 6}),
]


def attention() -> Iterator[Case]:
    yield from of_view("attention.weights", [*texts(long=MODELS), *AT])
    yield from of_view("attention.row", [*texts(long=["gpt"]), *AT])
    yield from of_view(
        "attention.steps",
        [*texts(long=["bert"]), *AT, *each("step", range(9), token=3, key=1, col=7),
         *each("step", (0, 2, 5, 7, 8), model="bert", layer=4, head=3)],
    )  # fmt: skip
    scores = ("maps", "entropy", "previous", "first", "induction")
    drawn = [("lines", {"drawn": "lines"}), ("every", {"every": 1, "model": "bert"})]
    yield from of_view(
        "attention.heads",
        [*texts(long=MODELS), *AT, *each("score", scores, text=REPEATED), *drawn,
         *each("score", scores[1:], model="bert")],
    )  # fmt: skip
    heads = ("2:0", "0:1,3", "0:0,1,2,3", "1:9,255", "3:")
    yield from of_view(
        "attention.lines",
        [*texts(long=["bert"]), *AT, *drawn, *each("heads", heads, head=0),
         *each("heads", heads[:3], model="bert", every=1)],
    )  # fmt: skip
    yield from of_view(
        "attention.unscaled",
        [*texts(long=["gpt"]), *AT, *each("scaling", (0, 1)),
         *each("scaling", (0, 1), model="bert")],
    )  # fmt: skip
    yield from of_view(
        "attention.scaling",
        [("default", {}), *each("n_keys", (2, 3, 16, 33, 64)),
         *each("vector_seed", (1, 7, 2**31), n_keys=8)],
    )  # fmt: skip


def text() -> Iterator[Case]:
    words = [*each("word", (0, 3, 99)), ("names", {"text": NAMES, "word": 5})]
    mine = {"code": "learnt", "corpus": "low low lower lowest newer newest wider", "merges": 9}
    yield from of_view("text.tokens", [*texts(long=MODELS), *words])
    yield from of_view(
        "text.encode",
        [*texts(["gpt"], long=["gpt"]), *words, *each("join", (0, 1, 99), text=NAMES, word=5),
         ("learnt", mine), ("learnt from the example", {"code": "learnt", "word": 4}),
         ("a long word", {"text": "Donaudampfschifffahrtsgesellschaftskapitän " * 2}),
         ("bert has none", {"model": "bert"})],
    )  # fmt: skip
    yield from of_view("text.bits", [*texts(["gpt"], long=["gpt"]), *words, ("learnt", mine),
                                     ("bert cannot", {"model": "bert"})])  # fmt: skip
    trained = [
        ("default", {}), ("mine", mine), ("nothing", {"corpus": " "}), ("signs", {"corpus": SIGNS}),
        ("markup", {"corpus": MARKUP}), ("one", {"corpus": "a"}), ("long", {"corpus": LONG * 3}),
        *each("merge", (0, 1, 59, 60, 200)), *each("merges", (1, 200), merge=1),
        ("repeated", {"corpus": REPEATED, "merge": 7}), ("learnt code", {"code": "learnt"}),
    ]  # fmt: skip
    for view in ("text.code", "text.corpus", "text.learnt", "text.pairs"):
        yield from of_view(view, trained)


def positions() -> Iterator[Case]:
    tables = [
        *each("table", (0, 1, 2, 3, 20), token=2, col=9),
        *each("table", (0, 1, 2, 3, 4, 5), model="bert", token=1, col=255),
        ("beyond", {"token": 10**5, "col": 10**5}), ("sea", {"text": REPEATED, "token": 5}),
    ]  # fmt: skip
    for view in ("embed.lookup", "embed.tokens"):
        yield from of_view(
            view, [*texts(long=["bert"] if view.endswith("tokens") else []), *tables]
        )
    sizes = [
        ("default", {}), ("smallest", {"d_model": 2, "positions": 2, "pair": 511}),
        ("odd", {"d_model": 7, "positions": 9, "pair": 1}), ("four", {"d_model": 4}),
        ("widest", {"d_model": 1024, "positions": 20, "pair": 300}),
        ("longest", {"d_model": 64, "positions": 640, "pair": 31}), ("apart", {"apart": 1}),
        ("six hundred", {"positions": 600}), ("first pair", {"pair": 0}),
    ]  # fmt: skip
    for view in ("sinusoidal", "curves", "similarity", "binary"):
        yield from of_view(f"positions.{view}", sizes)
    kinds = ("learned", "sinusoidal", "rotary", "t5")
    for view in ("pairs", "beyond", "learned"):
        yield from of_view(
            f"positions.{view}",
            [*each("kind", kinds), *each("kind", kinds, model="bert"), *sizes[1:5]],
        )
    yield from of_view(
        "positions.shuffle",
        [*texts(long=["bert"]), *each("shuffle_seed", (1, 7, 9999)),
         *each("shuffle_seed", (1, 9999), model="bert", text=REPEATED)],
    )  # fmt: skip


def masks() -> Iterator[Case]:
    # A batch is shown where the mask is of the padding; how it is drawn follows its sentence.
    fill = {"mask": "padding"}
    batches = [(f"batch {name}", {**fill, "batch": batch}) for name, batch in BATCHES.items()]
    batches += [*each("sentence", (0, 1, 2, 100), **fill),
                *each("sentence", (0, 1, 2), **fill, model="bert"),
                ("batch long bert", {**fill, "model": "bert", "batch": "a\n" + LONG})]  # fmt: skip
    hand = [("painted", {"mask": FITS}), ("painted small", {"mask": SMALL}),
            ("painted blind", {"mask": BLIND}),
            ("painted large", {"mask": LARGE, "model": "bert"}),
            ("no mask at all", {"mask": "painted:3:!!"}), ("nonsense", {"mask": "<b>"}),
            ("blind row", {"mask": BLIND, "token": 1, "key": 4})]  # fmt: skip
    kinds = [*each("mask", MASKS), *each("mask", MASKS, model="bert", text=MASKED), *hand]
    heads = [
        ("gpt head", {"mask": "window:3", "layer": 0, "head": 3, "token": 6, "key": 5}),
        ("beyond", {"mask": "prefix:4", "layer": 255, "head": 255, "token": 10**5}),
    ]
    few = [one for one in texts() if "default" not in one[0]]
    sheets = [*each("sheet", range(5), mask="window:2", token=7, key=1),
              *each("sheet", (0, 1, 2, 20), mask="causal", model="bert"),
              *each("sheet", (1, 2), **fill)]  # fmt: skip
    yield from of_view("masks.grid", [*kinds, *heads, *few, *batches, *sheets])
    yield from of_view("masks.grid", [("gpt long", {"mask": "none", "text": LONG})])
    for view in ("strip", "prediction"):
        yield from of_view(f"masks.{view}", [*kinds, *heads, *few, *batches])
    yield from of_view("masks.batch", [*batches, ("own", {}), ("signs", {**fill, "text": SIGNS})])
    cells = [("default", {}), *each("stage", (0, 1, 2, 3, 20)), *each("row", (0, 1, 3, 10**5)),
             *each("col", (0, 2, 3, 10**5), row=3, stage=1)]  # fmt: skip
    yield from of_view("masks.worked", cells)
    yield from of_view("masks.learning", [("default", {})])


def norms() -> Iterator[Case]:
    typed = {
        "equal": {"vector": "7, 7, 7, 7"}, "equal, no eps": {"vector": "7 7 7", "eps": "0"},
        "two": {"vector": "[1; -1]", "eps": "1e-12"}, "large": {"vector": "1e20, -1e20, 3"},
        "many": {"vector": ", ".join(str(n * n) for n in range(40))},
        "learnt": {"gain": "1, 2, -3, 0", "shift": "0.5", "eps": "1", "col": 2},
        "one": {"vector": "5"}, "words": {"vector": "<b>x</b>"},
        "too many": {"vector": "1 " * 2000}, "gain of three": {"gain": "1 2 3"},
        "negative eps": {"eps": "-1"}, "two eps": {"eps": "1 2"}, "huge": {"vector": "1e300, 2"},
        "empty": {"vector": ""}, "minus": {"vector": "−3, 4, −5"},
    }  # fmt: skip
    own = [(f"text {name}", {**query, "source": "text"}) for name, query in texts()]
    kinds = ("ln_1", "ln_2", "final_norm", "embed.ln")
    own += [*each("norm", kinds, source="text", layer=0, token=2),
            *each("norm", kinds, source="text", model="bert", layer=5, token=3, col=200),
            ("text beyond", {"source": "text", "layer": 255, "token": 10**5,
                             "col": 10**5})]  # fmt: skip
    steps = [*each("norm_step", range(7)), *each("norm_step", (0, 4, 200), source="text")]
    for view in ("steps", "rms"):
        yield from of_view(f"norm.{view}", [("default", {}), *typed.items(), *own, *steps,
                                            *each("row", (0, 1, 3), col=3)])  # fmt: skip
    yield from of_view("norm.strip", [*own, ("worked", {"source": "worked"})])


def blocks() -> Iterator[Case]:
    functions = ("own", "relu", "gelu", "gelu_tanh", "relu_squared", "silu", "gated")
    units = [
        *texts(), ("gpt unit", {"layer": 0, "token": 3, "unit": 1023, "rank": "text"}),
        ("gpt last", {"layer": 5, "unit": 7}), ("bert last", {"model": "bert", "layer": 5}),
        ("bert unit", {"model": "bert", "layer": 1, "token": 2, "unit": 400, "rank": "text"}),
        ("beyond", {"layer": 255, "token": 10**5, "unit": 10**5}),
        *each("rank", ("token", "text"), text=REPEATED),
    ]  # fmt: skip
    curves = [*each("function", functions), *each("function", functions[:3], model="bert", layer=0)]
    for view in ("strip", "units", "words", "curve"):
        yield from of_view(f"ffn.{view}", [*units, *curves])
    yield from of_view(
        "stream.sizes", [*texts(long=MODELS), *each("token", (0, 3, 10**5)),
                         *each("token", (0, 3, 10**5), model="bert")],
    )  # fmt: skip
    stacks = [
        ("default", {}), ("bert", {"model": "bert"}), *each("depth", (2, 5)),
        *each("blocks", ("fresh", "own"), depth=3),
        ("bert own", {"model": "bert", "blocks": "own"}),
        ("one token", {"text": "a", "depth": 2}), ("signs", {"text": SIGNS, "depth": 2}),
        ("bert markup", {"model": "bert", "text": MARKUP, "blocks": "own"}),
    ]  # fmt: skip
    for view in ("gradient", "alike"):
        yield from of_view(f"stream.{view}", stacks)
    yield from of_view(
        "map.run",
        [*texts(long=MODELS), *AT, *each("token", (0, 5), layer=5, head=2),
         ("empty", {"text": ""}), ("blank", {"text": " \n", "model": "bert"}),
         ("no such model", {"model": "nope"})],
    )  # fmt: skip


def predictions() -> Iterator[Case]:
    sampled = [
        ("cold", {"temperature": 0, "new": 24, "made": 24}),
        ("hot", {"temperature": 1.5, "top_k": 0, "top_p": 1, "new": 20, "made": 9, "seed": 3}),
        ("few", {"top_k": 1, "made": 2}), ("nucleus", {"top_p": 0.05, "made": 3, "cut": 3}),
        ("penalty", {"repetition": 3, "new": 12, "made": 12, "text": REPEATED}),
        ("less penalty", {"repetition": 0.5, "made": 5, "seed": 9999}),
        *each("cut", (0, 1, 2, 3), made=4, temperature=0.6),
        *each("token", (0, 4, 10**5), made=6), ("one new", {"new": 1, "made": 200}),
        ("context full", {"text": LONG, "new": 6, "made": 2}), ("bert cannot", {"model": "bert"}),
    ]  # fmt: skip
    for view in ("next", "surprisal", "cache"):
        yield from of_view(f"predict.{view}", [*texts(["gpt"]), *sampled])
    yield from of_view(
        "predict.layers",
        [*texts(["gpt"], long=["gpt"]), *each("token", (0, 3, 10**5)),
         *each("ids", ("0,17,400", "5", "9999999", "<b>", "0,"), token=1),
         ("bert cannot", {"model": "bert"})],
    )  # fmt: skip


def masked() -> Iterator[Case]:
    hidden = [
        *texts(["bert"], long=["bert"]),
        *each("hide", ("auto", "none", "0", "1,3", "0,1,2,3,4,5,6")),
        *each("hide", ("9999", "x"), token=2), *each("token", (0, 3, 10**5), hide="2,5"),
        ("typed", {"text": MASKED, "hide": "none"}),
        ("typed and hidden", {"text": MASKED, "hide": "1"}),
        ("pieces", {"text": NAMES, "hide": "5", "token": 9}), ("no word", {"text": "🙂 🙂"}),
        ("nothing", {"text": ""}), ("partner cannot", {"partner": "bert"}),
        ("gpt cannot", {"model": "gpt"}), ("right side", {"text": "The bird flew to its nest.",
                                                          "hide": "1"}),
    ]  # fmt: skip
    for view in ("strip", "beside", "each", "why", "unread"):
        yield from of_view(f"masked.{view}", hidden)
    rolls = [*texts(["bert"], long=["bert"]), *each("dice_seed", (1, 2, 7, 9999)),
             ("typed", {"text": MASKED, "dice_seed": 4}), ("no word", {"text": "🙂"}),
             ("gpt cannot", {"model": "gpt"})]  # fmt: skip
    for view in ("example", "dice"):
        yield from of_view(f"masked.{view}", rolls)
    pairs = {
        "default": {}, "empty": {"first": ""}, "blank": {"second": " "}, "long": {"second": LONG},
        "long first": {"first": LONG, "second": "a"}, "signs": {"first": SIGNS, "second": "ok"},
        "markup": {"first": MARKUP, "second": "=1+1"},
        "same": {"first": "A dog.", "second": "A dog."},
        "gpt cannot": {"model": "gpt"},
    }  # fmt: skip
    yield from of_view("masked.follows", pairs.items())


def views() -> Iterator[Case]:
    """Every case of every view."""
    for topic in (attention, text, positions, masks, norms, blocks, predictions, masked):
        yield from topic()
