"""The map of the whole run: what it says, and that all of it is in the drawing that is saved."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.figures.map import MapParams
from core.figures.text import percent, quoted
from core.figures.view import get
from core.requests import TraceRequest
from core.runs import Runs

SPACE = "{http://www.w3.org/2000/svg}"
TEXT = "the cat sat on the mat"


@pytest.fixture(scope="module")
def runs(gpt, bert) -> Runs:
    return Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])


def record_of(runs: Runs, **values):
    view, params = get("map.run"), MapParams(text=TEXT, **values)
    return view.compute([runs.get(request) for request in view.requests(params)], params)


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_it_says_which_token_gets_most(runs, model):
    trace = runs.get(TraceRequest(model, TEXT)).trace
    for token in range(len(trace.tokens)):
        said = str(get("map.run").describe(record_of(runs, model=model, layer=0, token=token)))
        best = int(trace["blocks.0.attn.weights"][0, token].argmax())
        name = quoted(trace.tokens[best])
        twice = [quoted(one) for one in trace.tokens].count(name) > 1
        place = f"“{name}” (position {best})" if twice else f"“{name}”"
        assert said.endswith(f"of its attention to {'itself' if best == token else place}.")


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_the_whole_run_is_saved(runs, model):
    view, record = get("map.run"), record_of(runs, model=model, layer=1, head=1, token=3)
    root = ElementTree.fromstring(view.svg(record, "light"))
    texts = ["".join(one.itertext()) for one in root.iter(f"{SPACE}text")]
    payload = view.payload(record)
    labels = payload.header["labels"]
    # Every part has its name: tokens, embeddings, blocks and what is in the open one, the words.
    assert {chip["label"] for chip in payload.header["tokens"]} <= set(texts)
    for name in ("tokens", "embeddings", "blocks", "heads", "norm", "ffn", "final", "logits",
                 "next", "cells", "entries", "ffn_note"):  # fmt: skip
        assert labels[name] in texts, name
    assert {"block 0", "block 1", "head 0", "head 1"} <= set(texts)
    assert set(payload.header["words"][3]) <= set(texts)
    assert {percent(float(p)) for p in payload.arrays["probs"][3]} <= set(texts)
    # A picture for each: the maps of both blocks, five strips of the open one, three outside it.
    pictures = [one for one in root.iter(f"{SPACE}g") if "scale" in one.attrib["transform"]]
    assert len(pictures) == 2 * 2 + 5 + 3
    # Nothing is drawn beyond the page's edge.
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for one in root.iter(f"{SPACE}rect"):
        if one.attrib["width"] != "100%":
            assert float(one.attrib["x"]) + float(one.attrib["width"]) <= width
            assert float(one.attrib["y"]) + float(one.attrib["height"]) <= height
