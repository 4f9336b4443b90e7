"""What is compared: every view for many links, traces, the front door, old links, whole pages.

A case is plain data, so that the tree of an older commit can be asked for the same. Its ``view``
(a view's name, or ``trace``, ``call``, ``link``, ``page``) and its ``case`` name it in reports.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.harness.view_cases import (
    LONG,
    MASKED,
    MODELS,
    NAMES,
    REPEATED,
    SIGNS,
    SMALL,
    TEXTS,
    Case,
    views,
)

# --- below the views ----------------------------------------------------------------------------


def traces() -> Iterator[Case]:
    for model, n in (("gpt", 4), ("bert", 5)):
        for name, given in runs(n).items():
            yield {
                "kind": "trace",
                "view": "trace",
                "case": f"{model} {name}",
                "model": model,
                **given,
            }


def runs(n: int) -> dict[str, dict[str, Any]]:
    """What is traced, for a model that has ``n`` tokens for the short text."""
    short = "The cat sat"
    blind = np.ones((n, n), int)
    blind[1], blind[0, 1:] = 0, 0
    edited = {
        "head off": [["blocks.2.attn.z", [1], "zero"]],
        "mean of a block": [["blocks.3.ffn.out", [], "mean"]],
        "one number": [["blocks.0.resid_post", [2, 17], 3.5]],
        "position off": [
            ["embed.positions", [], "zero"],
            ["blocks.1.attn.weights", [0, 3], "zero"],
        ],
        "no such axis": [["blocks.0.attn.z", [0, 0, 0, 0], "zero"]],
        "no such entry": [["blocks.0.attn.z", [99], "zero"]],
        "no such site": [["blocks.0.attn.zz", [], "zero"]],
        "not a number": [["blocks.0.attn.z", [], float("nan")]],
    }
    return {
        **{name: {"inputs": text} for name, text in {"short": short, **TEXTS}.items()},
        "half a character": {"inputs": "a \ud83d b"}, "empty": {"inputs": ""},
        "too long": {"inputs": LONG}, "ids": {"inputs": [0, 17, 400, 8191]},
        "no such id": {"inputs": [9000]}, "no ids": {"inputs": []},
        "batch": {"inputs": [short, "a", REPEATED]}, "pair": {"inputs": [short, "It ran."],
                                                             "pair": True},
        **{f"edit: {name}": {"inputs": NAMES, "edits": edits} for name, edits in edited.items()},
        "lower mask": {"inputs": short, "mask": np.tri(n, dtype=int).tolist(), "sites": ["*attn*"]},
        "open mask": {"inputs": short, "mask": np.ones((n, n), int).tolist()},
        "blind row": {"inputs": short, "mask": blind.tolist()},
        "wrong mask": {"inputs": short, "mask": [[1]]},
        "sites": {"inputs": short, "sites": ["blocks.0.attn.dots", "*logits", "blocks.*.ln_2.out"]},
        "last norm": {"inputs": short, "sites": ["final_norm.out"]},
        "one block": {"inputs": short, "sites": ["blocks.5.*"]},
        "no such site": {"inputs": short, "sites": ["blocks.0.attn.weigths"]},
        "edited batch": {"inputs": [short, NAMES], "edits": edited["mean of a block"]},
    }  # fmt: skip


def calls() -> Iterator[Case]:
    def call(model: str, verb: str, name: str, *given: Any, **more: Any) -> Case:
        ident = f"{verb} {model} {name}".strip()
        return {"kind": "call", "view": "call", "case": ident, "model": model, "call": verb,
                "given": list(given), **more}  # fmt: skip

    awkward = ["", " ", "a", *TEXTS.values(), MASKED, "  a  b ", "a\r\n\r\n b", "'s we'LL I'll",
               "naïve café — “quoted”… 東京", "हिन्दी ไทย", "aaaaaaaaaaaaaaaa",
               "\U0010ffff\uffff"]  # fmt: skip
    awkward = [one for one in awkward if "\ud800" not in one]
    for model in MODELS:
        yield call(model, "describe", "")
        yield call(model, "encode", "awkward", *awkward)
        yield call(model, "encode", "half a character", SIGNS)
        yield call(model, "next_tokens", "", "Once upon a", 7)
        yield call(model, "fill_masks", "", MASKED, 7)
        yield call(model, "next_sentence", "", "The dog barked.", "It saw a cat.")
    yield call("bert", "fill_masks", "nothing hidden", "The cat")
    yield call("gpt", "next_tokens", "too long", LONG)
    yield call("gpt", "next_tokens", "none", "a", 0)
    samplings = {
        "greedy": {"temperature": 0.0, "top_k": 0, "top_p": 1.0},
        "default": {}, "another seed": {"seed": 5}, "hot": {"temperature": 1.8, "top_k": 0},
        "penalty": {"repetition": 2.0, "top_p": 0.5}, "below zero": {"temperature": -1.0},
    }  # fmt: skip
    for name, sampling in samplings.items():
        yield call("gpt", "generate", name, "Once upon a time", max_new=30, sampling=sampling)


# --- links and pages ----------------------------------------------------------------------------

PAGES: dict[str, tuple[str, ...]] = {  # the views of each page, by its address
    "": ("map.run",),
    "tokenization": ("text.tokens", "text.encode", "text.bits", "text.pairs", "text.corpus",
                     "text.learnt", "text.code"),
    "positions": ("embed.tokens", "embed.lookup", "positions.sinusoidal", "positions.binary",
                  "positions.curves", "positions.similarity", "positions.pairs",
                  "positions.learned", "positions.beyond", "positions.shuffle"),
    "attention": ("attention.row", "attention.steps", "attention.unscaled", "attention.scaling"),
    "heads": ("attention.row", "attention.heads", "attention.weights", "attention.lines"),
    "masks": ("masks.batch", "masks.strip", "masks.grid", "masks.prediction", "masks.worked",
              "masks.learning"),
    "layernorm": ("norm.strip", "norm.steps", "norm.rms", "stream.sizes", "stream.gradient",
                  "stream.alike"),
    "feed-forward": ("ffn.strip", "ffn.curve", "ffn.units", "ffn.words"),
    "next-token": ("predict.surprisal", "predict.next", "predict.layers", "predict.cache"),
    "masked-word": ("masked.strip", "masked.unread", "masked.beside", "masked.each", "masked.why",
                    "masked.follows", "masked.example", "masked.dice"),
    "models": (),
}  # fmt: skip
# Views that came after the reference: there is nothing to compare them with.
NEW = frozenset({"translate.next", "translate.source", "translate.target"})


def packed(data: Any) -> str:
    """A state as a long link holds it."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


NOISE = {"layer": "99999", "head": "-3", "token": "abc", "key": "1e9", "step": "∞", "stage": "x",
         "made": "9e9", "cut": "-4", "norm_step": "one", "temperature": "nan", "device": "tpu",
         "mask": "painted:3:!!", "z": "%%%", "unknown": "1"}  # fmt: skip
LINKS: tuple[tuple[str, dict[str, str]], ...] = (
    ("", {}), ("", {"text": "new"}), ("", {"text": "First", "head": "3"}), ("", {"model": "nope"}),
    ("", {"text": "Once upon a time there was a little", "model": "gpt", "token": "3"}),
    ("", {"text": "word " * 9000}), ("", {"text": "\ud83d half", "layer": "255", "head": "256"}),
    ("", {"z": packed({"text": LONG, "token": "7", "view": "lecture"})}), ("", {"z": "é"}),
    ("", {"z": packed([1, 2])}), ("", {"z": packed(b"{")}), ("", {"z": "A" * 9000, "layer": "3"}),
    ("", {"z": packed({"text": "a", "layer": 3, "x": None}), "layer": "1"}),
    ("tokenization", {"corpus": "low low lower lowest", "merges": "4", "merge": "0"}),
    ("tokenization", {"text": "Naïve 🙂 a\u200bb", "word": "2", "join": "1", "code": "learnt"}),
    ("tokenization", {"text": "Lothlorien", "view": "lecture", "text_part": "2"}),
    ("tokenization", {"word": "-1", "join": "-2", "code": "huffman", "merges": "0", "merge": "201",
                      "text_part": "4"}),
    ("positions", {"text": "The dog saw another dog", "token": "5", "table": "0"}),
    ("positions", {"d_model": "4", "positions": "400", "shuffle_seed": "5", "pair": "1"}),
    ("positions", {"d_model": "1025", "positions": "1", "pair": "512", "kind": "alibi",
                   "apart": "yes", "shuffle_seed": "10000", "position_part": "7", "table": "21"}),
    ("positions", {"apart": "1", "kind": "t5", "view": "lecture", "position_part": "3"}),
    ("attention", {"text": "A small dog"}), ("attention", {"scaling": "0", "n_keys": "64"}),
    ("attention", {"text": "The animal did not cross the street because it was too wide",
                   "token": "9", "step": "6"}),
    ("attention", {"model": "gpt", "token": "0", "key": "0", "step": "8", "col": "255"}),
    ("attention", {"scaling": "2", "step": "9", "n_keys": "1", "vector_seed": "-1", "col": "1.5"}),
    ("heads", {"text": "One sentence travels", "model": "bert", "layer": "4", "head": "2"}),
    ("heads", {"score": "induction", "drawn": "lines", "heads": "1:0,3", "every": "1"}),
    ("heads", {"score": "volume", "drawn": "<b>", "heads": "1:0,", "every": "some", "head": "1"}),
    ("heads", {"layer": "99", "head": "4", "model": "gpt"}),
    ("heads", {"heads": "1:" + "0," * 300, "head": "1"}),
    ("masks", {"mask": "window:2", "sheet": "1", "token": "4", "key": "1", "text": "The cat sat"}),
    ("masks", {"mask": "padding", "sentence": "0", "model": "bert"}), ("masks", {"mask": SMALL}),
    ("masks", {"mask": "painted:3:!!"}), ("masks", {"mask": "prefix:", "sheet": "-1"}),
    ("masks", {"mask": "causal", "model": "bert", "text": MASKED, "row": "3", "col": "2",
               "stage": "1"}),
    ("masks", {"batch": "One dog\nA much longer sentence", "mask": "padding", "sentence": "101"}),
    ("layernorm", {"norm_step": "0"}), ("layernorm", {"vector": "7, 7, 7, 7", "eps": "0"}),
    ("layernorm", {"source": "text", "text": "The cat sat", "norm_step": "4", "model": "gpt"}),
    ("layernorm", {"source": "text", "model": "bert", "norm": "embed.ln", "token": "1"}),
    ("layernorm", {"source": "word", "norm": "ln_3", "blocks": "old", "depth": "25", "row": "x"}),
    ("layernorm", {"blocks": "own", "depth": "2", "gain": "1, 2", "shift": "=1"}),
    ("feed-forward", {"model": "gpt", "layer": "5", "rank": "text", "unit": "7"}),
    ("feed-forward", {"function": "relu_squared", "token": "2", "text": NAMES}),
    ("feed-forward", {"function": "tanh", "rank": "all", "unit": "-2", "layer": "-1"}),
    ("next-token", {"text": "The cat", "temperature": "1.5", "new": "3", "token": "2"}),
    ("next-token", {"text": "First", "temperature": "0", "new": "40", "made": "40"}),
    ("next-token", {"temperature": "nan", "layer": "-7", "text": "<script>", "z": "%"}),
    ("next-token", {"layer": "-7", "temperature": "inf", "top_k": "1e9", "new": "<script>",
                    "cut": "", "device": "toaster", "seed": "９9x", "token": "7" * 5000}),
    ("next-token", {"model": "..%2F..%2Fetc"}), ("next-token", {"top_p": "0", "repetition": "0.1"}),
    ("next-token", {"z": packed({"text": " ".join(f"word{n}" for n in range(420)), "seed": "7"})}),
    ("next-token", {"__class__": "x", "values": "y", "a" * 500: "z", "go": "/heads"}),
    ("masked-word", {"text": "The cat sat on the mat", "hide": "1"}),
    ("masked-word", {"text": "Frodo met Lothlorien", "hide": "1", "token": "3"}),
    ("masked-word", {"hide": "1;2", "partner": "bert", "dice_seed": "10000", "first": "",
                     "second": ""}),
    ("masked-word", {"first": "=1", "second": SIGNS, "dice_seed": "3", "hide": "none"}),
    ("models", {"device": "cuda", "model": "gpt"}), ("models", {"view": "poster", "text": ""}),
    *((page, NOISE) for page in ("", "attention", "masks", "next-token")),
)  # fmt: skip


def links() -> Iterator[Case]:
    for n, (page, query) in enumerate(LINKS):
        said = ", ".join(query)[:40] or "bare"
        yield {"kind": "link", "view": "link", "case": f"{n:02} /{page} {said}", "page": page,
               "query": query, "views": list(PAGES[page])}  # fmt: skip


def pages() -> Iterator[Case]:
    def page(address: str, name: str, query: dict[str, str], **more: Any) -> Case:
        return {"kind": "page", "view": "page", "case": f"/{address} {name}", "page": address,
                "query": query, **more}  # fmt: skip

    for address in PAGES:
        yield page(address, "bare", {}, press=True)
        yield page(address, "bert", {"model": "bert"}, press=address in ("", "heads"))
        yield page(address, "nothing", {"text": " "})
        yield page(address, "signs", {"text": SIGNS.replace("\ud800", ""), "model": "bert"})
        yield page(address, "long", {"text": LONG})
        if address in ("tokenization", "positions"):
            for n in range(4 if address == "tokenization" else 7):
                part = {"text_part": str(n), "position_part": str(n), "view": "lecture"}
                yield page(address, f"lecture {n}", part)
    for n, (address, query) in enumerate(LINKS):
        # A browser can send no half characters, and the test client no endless names.
        halves = any("\ud800" <= sign <= "\udfff" for value in query.values() for sign in value)
        if query and not halves and max(map(len, query)) < 40:
            yield page(address, f"link {n:02}", query)


# --- all ----------------------------------------------------------------------------------------


def all_cases() -> list[Case]:
    """Every case, views first, in a stable order."""
    found: list[Case] = [{"kind": "registry", "view": "registry", "case": "views"}]
    for make in (views, traces, calls, links, pages):
        found += make()
    names = [(case["view"], case["case"]) for case in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two cases are called {sorted(twice)}")
    return found
