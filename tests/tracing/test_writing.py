"""What a model writes by itself it writes under the mask and the edits of the run."""

from __future__ import annotations

import numpy as np
import pytest

from core import zoo
from core.inputs import Batch, Ids, SourceTarget, Text
from core.runs.kinds.trace import TraceRequest
from core.runs.mask_spec import OPPOSITE, MaskSpec
from core.runs.store import Runs
from core.tracing import Edit, Trace, trace_run

TEXT = "The cat sat on the mat."
SHIPPED = "Le chat est assis sur le tapis."


@pytest.fixture(params=["transformer", "rnn"])
def writer(request):
    """Each machine that writes a target of its own."""
    return request.getfixturevalue(request.param)


def check_its_own(trace: Trace, model, most: int = 0) -> None:
    """Every token is the likeliest after those before it, by the trace's own logits."""
    logits = trace["logits"].copy()
    start, end = model.config.start_id, model.config.end_id
    logits[:, start] = -np.inf
    likeliest = logits.argmax(-1).tolist()
    ids = list(trace.ids)
    assert ids[0] == start
    assert ids[1:] == likeliest[:-1]
    assert likeliest[-1] == end or len(ids) == (most or model.config.n_ctx)
    assert trace.main.written


def some_edit(model) -> Edit:
    """One that makes another word the likeliest: a number of what the head reads."""
    return Edit(model.blueprint.head.reads, (None, 0), 9.0)


def test_under_an_edit_it_writes_what_the_edited_model_would(writer):
    plain, edited = trace_run(writer, TEXT), trace_run(writer, TEXT, edits=[some_edit(writer)])
    check_its_own(plain, writer)
    check_its_own(edited, writer)
    assert edited.ids != plain.ids
    assert edited.seconds > 0


def test_an_edit_of_one_position_waits_until_it_is_there(writer):
    cross = writer.blueprint.attention("cross")
    edits = [Edit(f"{cross.prefixes[0]}.weights", (*[None] * cross_axes(writer), 3, 0), 1.0)]
    check_its_own(trace_run(writer, TEXT, edits=edits), writer)


def cross_axes(model) -> int:
    """Axes of the weights before those of positions: one where there are heads."""
    site = model.catalogue[f"{model.blueprint.attention('cross').prefixes[0]}.weights"]
    return len(site.axes) - 2


def test_under_a_mask_it_writes_no_more_than_the_mask_has_rows(transformer):
    n = len(trace_run(transformer, TEXT).ids)
    only_itself = np.eye(n, dtype=bool)
    trace = trace_run(transformer, TEXT, mask=only_itself)
    check_its_own(trace, transformer, n)
    assert (trace.mask == only_itself[: len(trace.ids), : len(trace.ids)]).all()


def test_a_batch_writes_for_each_row_what_it_would_alone(writer):
    edits = [some_edit(writer)]
    texts = ["The cat sat.", "a dog told the story of the mat"]
    rows = (*map(Text, texts), SourceTarget(texts[0], "the dog"))
    traces = trace_run(writer, Batch(rows), edits=edits)
    for trace, row in zip(traces, rows, strict=True):
        alone = trace_run(writer, row, edits=edits)
        assert trace.ids == alone.ids
        assert trace.main.written == alone.main.written == isinstance(row, Text)


def test_what_was_written_can_be_read_again(writer):
    written = trace_run(writer, TEXT)
    again = trace_run(writer, SourceTarget(TEXT, Ids(written.ids)))
    assert again.main == written.main
    np.testing.assert_allclose(again["logits"], written["logits"], atol=1e-6)


@pytest.mark.parametrize("spec", [OPPOSITE, MaskSpec("none")], ids=str)
def test_a_run_under_a_mask_reads_its_own_target_and_one_compared_with_it_the_same(
    transformer, spec
):
    runs = Runs(load=lambda *_: transformer)
    under = TraceRequest("transformer", Text(TEXT), spec, "cross")
    own = TraceRequest("transformer", Text(TEXT))
    masked, plain = runs.get(under).trace, runs.get(own).trace
    compared = runs.get(TraceRequest("transformer", Text(TEXT), target_of=under)).trace
    assert compared.main == masked.main
    assert compared.mask[0, 1:].sum() == 0  # its own, causal
    other = runs.get(TraceRequest("transformer", Text(TEXT), spec, "cross", target_of=own)).trace
    assert other.main == plain.main


def test_with_its_cross_attention_closed_the_shipped_model_knows_nothing_of_the_source():
    runs = Runs()
    closed = [
        runs.get(TraceRequest("transformer", Text(text), OPPOSITE, "cross")).trace
        for text in (SHIPPED, "Il pleut depuis trois jours.")
    ]
    assert closed[0].ids == closed[1].ids
    check_its_own(closed[0], zoo.load("transformer", "cpu"))
    plain = runs.get(TraceRequest("transformer", Text(SHIPPED))).trace
    assert plain.ids != closed[0].ids
