"""What traced runs give: of every kind of input, cut to the context, under any mask."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import AbilityError, NoRoomError, ParameterError
from core.inputs import Batch, Ids, Padded, Pair, Shuffled, SourceTarget, Text
from core.reading.shuffled import shuffled
from core.runs.kinds.gaps import GapRequest, MaskingRequest
from core.runs.kinds.tokens import TokenizeRequest
from core.runs.kinds.trace import TraceRequest, masked, matrix
from core.runs.kinds.training import GradientRequest
from core.runs.mask_spec import OPPOSITE, MaskSpec
from core.runs.store import Runs
from core.tracing import Edit, trace_run
from tests.conftest import loaded, tiny_bert

TEXT = "The cat sat on the mat."


def test_a_trace_is_that_of_trace_run(runs, gpt):
    run = runs.get(TraceRequest("gpt", Text(TEXT)))
    expected = trace_run(gpt, TEXT)
    assert run.trace.ids == expected.ids
    np.testing.assert_allclose(run.trace["logits"], expected["logits"], atol=1e-6)
    assert (run.text, run.cut) == (TEXT, "")
    assert run.words(run.trace.ids[1]).id == run.trace.ids[1]


def test_ids_run_in_place_of_the_text(runs, gpt):
    ids = gpt.encode(TEXT)
    letters = tuple(i for token in ids for i in gpt.tokenizer.encode(gpt.decode([token])[:1]))
    run = runs.get(TraceRequest("gpt", Ids(letters)))
    assert run.trace.ids == letters
    assert (run.text, run.cut) == (gpt.decode(letters), "")
    with pytest.raises(ParameterError, match="id is 99999"):
        runs.get(TraceRequest("gpt", Ids((99_999,))))


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_a_text_that_is_too_long_is_cut_and_the_cut_is_kept(runs, model):
    long = "The cat sat on the mat. " * 40
    run = runs.get(TraceRequest(model, Text(long)))
    assert len(run.trace.ids) == 32
    assert run.text + run.cut == long


def alone(model):
    """A store of runs over one model."""
    return Runs(load=lambda _name, _device: model)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("n_ctx", "first", "second", "kept"),
    [
        (3, "The cat", "A dog", 3),  # the marks alone
        (4, "a", "b", 4),
        (5, "the cat sat", "the dog sat", 5),
        (8, "猫" * 20_000, "the dog sat " * 2_000, 8),
        (8, "a", "a.b" * 6_000, 8),
        (32, "a.b" * 6_000, "猫" * 20_000, 32),
    ],
)
def test_a_pair_is_cut_to_the_smallest_context(wordpiece, n_ctx, first, second, kept):
    runs = alone(loaded(tiny_bert(n_ctx=n_ctx), wordpiece))
    run = runs.get(TraceRequest("bert", Pair(first, second)))
    assert len(run.trace.ids) == kept
    assert first.startswith(run.text)
    rest = first[len(run.text) :]
    assert run.cut.startswith(rest)
    assert second.endswith(run.cut[len(rest) :])


def test_what_fits_of_a_pair_is_not_cut(wordpiece):
    runs = alone(loaded(tiny_bert(n_ctx=4), wordpiece))
    for first, second in (("a", ""), ("", "b")):
        run = runs.get(TraceRequest("bert", Pair(first, second)))
        assert (run.text, run.cut, len(run.trace.ids)) == (first, "", 4)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "request_",
    [
        TraceRequest("bert", Text("a")),
        TraceRequest("bert", Pair("a", "b")),
        TraceRequest("bert", Batch((Text("a"), Text("b c")))),
        TokenizeRequest("bert", "a"),
        GapRequest("bert", "bert", "a"),
        MaskingRequest("bert", "a", 0),
        GradientRequest("bert", "a"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_context_without_room_for_a_text_is_an_error(wordpiece, request_):
    runs = alone(loaded(tiny_bert(n_ctx=1), wordpiece))
    with pytest.raises(NoRoomError, match="no text fits: choose another model"):
        runs.get(request_)


def test_a_model_that_knows_one_segment_takes_no_pair(wordpiece):
    runs = alone(loaded(tiny_bert(n_types=1), wordpiece))
    with pytest.raises(AbilityError, match="cannot read two segments"):
        runs.get(TraceRequest("bert", Pair("a", "b")))
    assert runs.get(TraceRequest("bert", Text("a"))).text == "a"


def test_a_shuffle_moves_tokens_but_no_marks(runs, bert):
    plain = runs.get(TraceRequest("bert", Text(TEXT)))
    mixed = runs.get(TraceRequest("bert", Shuffled(Text(TEXT), 3)))
    assert sorted(mixed.trace.main.order) == list(range(len(plain.trace.ids)))
    assert mixed.trace.main.order[0] == 0
    assert mixed.trace.main.order[-1] == len(plain.trace.ids) - 1
    assert mixed.trace.ids == tuple(plain.trace.ids[at] for at in mixed.trace.main.order)
    assert mixed.trace.main.order != tuple(range(len(mixed.trace.main.order)))
    assert shuffled(plain.trace.tokens, 3) == mixed.trace.main.order


def test_beside_a_longer_text_a_row_is_filled_up(runs, gpt):
    alone = runs.get(TraceRequest("gpt", Text("The cat")))
    filled = runs.get(TraceRequest("gpt", Padded(Text("The cat"), (TEXT,))))
    n, longest = len(alone.trace.ids), len(gpt.encode(TEXT))
    assert filled.trace.main.n_padding == longest - n
    assert (
        filled.trace.ids == alone.trace.ids + (gpt.tokenizer.pad_id,) * filled.trace.main.n_padding
    )
    # Causal attention: what stands behind changes nothing before.
    np.testing.assert_allclose(filled.trace["logits"][:n], alone.trace["logits"], atol=1e-6)
    hidden = runs.get(
        TraceRequest("gpt", Padded(Text("The cat"), (TEXT,)), mask=MaskSpec("padding"))
    )
    assert not hidden.trace.mask[:, n:].any()


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_padding_has_no_part_in_a_mean(runs, model):
    """A row filled up beside a longer one is edited as if it stood alone."""
    edits = (Edit("blocks.0.attn.z", (0,), "mean"), Edit("embed.positions", (), "mean"))
    alone = runs.get(TraceRequest(model, Text("The cat"), edits=edits)).trace
    beside = Padded(Text("The cat"), (TEXT,))
    filled = runs.get(TraceRequest(model, beside, MaskSpec("padding"), edits=edits)).trace
    n = len(alone.ids)
    assert len(filled.ids) > n
    for site in ("blocks.0.attn.z", "blocks.1.attn.out", "blocks.1.resid_post"):
        own = (..., slice(n), slice(None))
        np.testing.assert_allclose(filled[site][own], alone[site][own], atol=1e-6)


def test_a_batch_is_its_texts_one_by_one(runs):
    for run, text in zip(
        runs.get(TraceRequest("gpt", Batch((Text("a"), Text(TEXT))))), ("a", TEXT), strict=True
    ):
        alone = runs.get(TraceRequest("gpt", Text(text)))
        np.testing.assert_allclose(run.trace["logits"], alone.trace["logits"], atol=1e-6)


@pytest.mark.parametrize(
    ("model", "site", "mask", "edits", "same"),
    [
        ("bert", "blocks.1.ln_2.out", "own", True, True),
        ("bert", "blocks.1.ln_2.out", "own", False, False),
        ("gpt", "final_norm.out", "none", True, True),
        ("gpt", "final_norm.out", "own", True, False),  # the causal mask alone breaks it
        ("gpt", "final_norm.out", "own", False, False),
    ],
)
def test_without_positions_and_mask_a_model_is_permutation_equivariant(
    runs, model, site, mask, edits, same
):
    more = {"mask": MaskSpec(mask), "edits": (Edit("embed.positions"),) if edits else ()}
    before = runs.get(TraceRequest(model, Text(TEXT), **more)).trace[site]
    run = runs.get(TraceRequest(model, Shuffled(Text(TEXT), 1), **more))
    after = run.trace[site]
    assert np.allclose(before[list(run.trace.main.order)], after, atol=1e-5) == same


# --- masks -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("none", ["xxx", "xxx", "xxx"]),
        ("causal", ["x..", "xx.", "xxx"]),
        ("prefix:2", ["xx.", "xx.", "xxx"]),
        ("prefix:99", ["xxx", "xxx", "xxx"]),
        ("window:1", ["x..", ".x.", "..x"]),
        ("window:0", ["x..", ".x.", "..x"]),
        ("padding", ["x..", "xx.", "xx."]),
    ],
)
def test_masks_become_matrices(text, rows):
    found = matrix(MaskSpec.parse(text), 3, 3, causal=True, n_padding=1)
    assert ["".join("x" if cell else "." for cell in row) for row in found] == rows


def test_the_models_own_mask_is_left_to_the_model(gpt):
    prepared = gpt.prepare(Text(TEXT))
    assert masked(TraceRequest("gpt", Text(TEXT)), gpt, prepared) is prepared
    assert prepared.mask("self") is None


def test_a_painted_mask_of_another_size_lies_on_the_models_own():
    small = MaskSpec.painted(np.array([[0, 1], [1, 0]], bool))
    found = matrix(small, 3, 3, causal=True)
    assert found.tolist() == [[False, True, False], [True, False, False], [True, True, True]]
    assert matrix(small, 1, 1, causal=False).tolist() == [[False]]
    assert matrix(small, 3, 3, causal=False)[0].tolist() == [False, True, True]


# --- a model with two streams ----------------------------------------------------------

TARGET = "the dog told a story"
GIVEN = SourceTarget(TEXT, TARGET)


@pytest.mark.parametrize(
    ("attention", "queries", "keys"),
    [("encoder", "source", "source"), ("decoder", "target", "target"), ("", "target", "target"),
     ("cross", "target", "source")],
)  # fmt: skip
def test_a_mask_goes_to_the_attention_that_is_named(runs, attention, queries, keys):
    own = runs.get(TraceRequest("transformer", GIVEN)).trace
    cells = np.array([[1, 0], [0, 1]], bool)
    painted = MaskSpec.painted(cells)
    trace = runs.get(TraceRequest("transformer", GIVEN, painted, attention)).trace
    name = attention if attention in own.masks else "decoder"
    mask = trace.masks[name]
    assert mask.shape == tuple(len(own.streams[one].tokens) for one in (queries, keys))
    assert (mask[:2, :2] == cells).all()
    assert (mask[2:] == own.masks[name][2:]).all()
    weights = trace[f"{trace.attention(name).prefix(1)}.weights"]
    assert (weights[:, ~mask] == 0).all()
    for other in own.masks.keys() - {name}:
        assert (trace.masks[other] == own.masks[other]).all()


def test_an_attention_of_an_unknown_name_is_an_error(runs):
    with pytest.raises(ParameterError, match="attention is 'unknown'; it must be one of encoder"):
        runs.get(TraceRequest("transformer", GIVEN, MaskSpec("none"), "unknown"))


@pytest.mark.parametrize("spec", [MaskSpec("causal"), MaskSpec("prefix", 1), MaskSpec("window", 2)])
def test_an_order_of_one_text_is_none_between_two(runs, spec):
    with pytest.raises(ParameterError, match=f"mask is '{spec}'; it must be own, none, padding"):
        runs.get(TraceRequest("transformer", GIVEN, spec, "cross"))


@pytest.mark.parametrize(
    ("model", "attention", "rows"),
    [("gpt", "", "###"), ("bert", "", "#.."), ("transformer", "encoder", "#.."),
     ("transformer", "decoder", "###"), ("transformer", "cross", "...")],
)  # fmt: skip
def test_the_opposite_of_a_mask_is_what_differs_most_from_it(runs, model, attention, rows):
    request = TraceRequest(model, Text(TEXT), OPPOSITE, attention)
    own = runs.get(TraceRequest(model, Text(TEXT))).trace
    name = own.attention(attention).name
    mask = runs.get(request).trace.masks[name]
    assert mask.shape == own.masks[name].shape
    assert mask[0, :3].tolist() == [cell == "#" for cell in rows]
    assert mask[-1].all() == (rows != "...")
    assert not np.array_equal(mask, own.masks[name])


def test_padding_of_a_source_is_hidden_from_the_attention_that_is_named(runs, transformer):
    padded = Padded(Text("The cat"), (TEXT,))
    trace = runs.get(TraceRequest("transformer", padded, MaskSpec("padding"), "cross")).trace
    n = len(transformer.encode("The cat"))
    assert not trace.masks["cross"][:, n:].any()
    assert trace.masks["cross"][:, :n].all()
    assert trace.masks["encoder"].all()
    assert (trace["decoder.blocks.1.cross_attn.weights"][..., n:] == 0).all()


def test_both_sides_are_cut_to_the_context(runs, transformer):
    long = "The cat sat on the mat. " * 9
    run = runs.get(TraceRequest("transformer", SourceTarget(long, long)))
    assert [len(stream.tokens) for stream in run.trace.streams.values()] == [32, 32]
    assert long.startswith(run.text)
    rest = long[len(run.text) :]
    assert run.cut.startswith(rest)
    assert long.endswith(run.cut[len(rest) :])
    assert run.cut != rest
    short = runs.get(TraceRequest("transformer", SourceTarget(TEXT, "a")))
    assert (short.text, short.cut) == (TEXT, "")


@pytest.mark.parametrize("text", ["猫" * 500, "a.b" * 300, "[MASK]" * 90, "lothlorien " * 60])
def test_a_target_is_cut_where_what_is_left_fits(runs, text):
    """A cut inside a word can make more tokens of what is left of it."""
    run = runs.get(TraceRequest("transformer", SourceTarget("a", text)))
    assert 24 < len(run.trace.ids) <= 32
    assert text.endswith(run.cut)


def test_a_batch_of_sources_and_targets(runs):
    given = Batch((GIVEN, SourceTarget("The cat"), Text("a")))
    found = runs.get(TraceRequest("transformer", given, sites=("@logits",)))
    assert [run.trace.main.written for run in found] == [False, True, True]
    for run, row in zip(found, given.rows, strict=True):
        alone = runs.get(TraceRequest("transformer", row))
        np.testing.assert_allclose(run.trace["logits"], alone.trace["logits"], atol=1e-6)


@pytest.mark.parametrize("model", ["gpt", "bert", "transformer", "rnn"])
def test_the_roles_stand_for_sites(runs, model):
    trace = runs.get(TraceRequest(model, Text("The cat"), sites=("@logits", "@output"))).trace
    head = trace.blueprint.head
    assert set(trace) == {head.site, head.reads}


def test_what_a_model_does_not_take_is_said_before_anything_is_cut(runs):
    with pytest.raises(AbilityError, match="TINY-GPT cannot read two segments"):
        runs.get(TraceRequest("gpt", Pair("a", "b")))
    with pytest.raises(AbilityError, match="TINY-BERT cannot read a source and a target"):
        runs.get(TraceRequest("bert", GIVEN))
    with pytest.raises(AbilityError, match="TINY-GPT cannot read two segments"):
        runs.get(TraceRequest("gpt", Batch((Text("a"), Pair("a", "b")))))


@pytest.mark.parametrize("bad", [99_999, -1, 2**40])
def test_ids_that_no_token_has_are_an_error(runs, bad):
    with pytest.raises(ParameterError, match=f"id is {bad}; it must be between 0 and 299"):
        runs.get(TraceRequest("gpt", Ids((5, bad))))
