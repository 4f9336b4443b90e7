"""trace_run: what goes in, what comes out, and every way to ask for something impossible."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.errors import (
    AbilityError,
    EditError,
    EmptyInputError,
    InputTooLongError,
    MaskError,
    ModelChangedError,
    NoRoomError,
    ParameterError,
    UnknownSiteError,
)
from core.tracing import Edit, Trace, trace_run
from core.tracing.sites import recorded
from tests.conftest import loaded, tiny_bert, tiny_gpt

TEXT = "The cat sat on the mat."


def same(a: Trace, b: Trace) -> None:
    assert a.ids == b.ids
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_allclose(a[name], b[name], atol=1e-6, err_msg=name)


# --- what goes in ------------------------------------------------------------------


def test_a_text_and_its_ids_run_the_same(gpt):
    same(trace_run(gpt, TEXT), trace_run(gpt, gpt.encode(TEXT)))


def test_ids_may_be_an_array(gpt):
    same(trace_run(gpt, np.array(gpt.encode(TEXT))), trace_run(gpt, TEXT))


def test_a_trace_says_what_was_run(gpt):
    trace = trace_run(gpt, TEXT)
    assert trace.model == "tiny-gpt"
    assert trace.ids == tuple(gpt.encode(TEXT))
    assert trace.device == "cpu"
    assert trace.dtype == "float64"
    assert trace.config is gpt.config
    assert trace.blueprint == gpt.model.blueprint
    assert trace.catalogue is gpt.catalogue
    assert list(trace.streams) == ["tokens"]
    assert trace.main == trace.streams["tokens"]
    assert not trace.main.written
    assert trace.seconds > 0


def test_a_trace_holds_every_site_without_a_batch_axis(gpt, bert):
    for model in (gpt, bert):
        trace = trace_run(model, TEXT)
        assert tuple(trace) == recorded(model.catalogue)
        for name, value in trace.items():
            assert value.ndim == len(trace.site(name).axes), name
            assert value.dtype == np.float32
        assert trace.nbytes == sum(value.nbytes for value in trace.values())


def test_the_numbers_are_those_of_the_model(gpt):
    trace = trace_run(gpt, TEXT)
    logits = gpt.model(torch.tensor([gpt.encode(TEXT)]))[0]
    np.testing.assert_allclose(trace["logits"], logits.float().numpy(), atol=1e-6)


def test_a_pair_runs_as_two_segments(bert):
    trace = trace_run(bert, ("The cat sat.", "The dog sat."))
    tokens, types = bert.tokenizer.pair_tokens("The cat sat.", "The dog sat.")
    assert trace.ids == tuple(token.id for token in tokens)
    table = trace.weights["embed.types.weight"]
    np.testing.assert_array_equal(trace["embed.types"], table[types])
    hidden = bert.model.hidden(torch.tensor([trace.ids]), types=torch.tensor([types]))
    answer = bert.model.next_sentence(hidden)[0].float().numpy()
    np.testing.assert_allclose(trace["nsp.logits"], answer, atol=1e-6)


@pytest.mark.parametrize("which", ["gpt", "bert"])
def test_texts_of_different_lengths_run_as_one_padded_batch(which, request):
    model = request.getfixturevalue(which)
    texts = ["The cat", TEXT, "a"]
    traces = trace_run(model, texts)
    assert len(traces) == 3
    for trace, text in zip(traces, texts, strict=True):
        same(trace, trace_run(model, text))
        assert trace.mask.shape == (len(trace.ids),) * 2


@pytest.mark.parametrize(
    "texts", [("The cat",), ("The cat", TEXT, "a"), np.array(["The cat", TEXT])], ids=len
)
def test_any_sequence_of_texts_but_a_pair_is_a_batch(gpt, texts):
    traces = trace_run(gpt, texts)
    assert [trace.ids for trace in traces] == [tuple(gpt.encode(str(text))) for text in texts]


PAIRS = [("The cat sat", "A dog"), ("a", "the dog sat on the log"), ("", "")]


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_a_batch_of_pairs_is_each_pair_by_itself(bert, kind):
    traces = trace_run(bert, kind(PAIRS))
    for trace, pair in zip(traces, PAIRS, strict=True):
        same(trace, trace_run(bert, pair))
        assert trace.ids == tuple(token.id for token in bert.tokenizer.pair_tokens(*pair)[0])


def test_a_batch_may_hold_texts_pairs_and_ids(bert):
    ids = bert.encode("the dog")
    rows = [TEXT, ("The cat sat", "A dog"), ids, np.array(ids), torch.tensor(ids)]
    for trace, row in zip(trace_run(bert, rows), rows, strict=True):
        same(trace, trace_run(bert, row))


def test_a_list_of_one_text_is_a_batch_of_one(gpt):
    (trace,) = trace_run(gpt, [TEXT])
    same(trace, trace_run(gpt, TEXT))


def test_one_text_of_a_batch_does_not_keep_the_others_in_memory(gpt):
    short, _ = trace_run(gpt, ["a", TEXT])
    for name, value in short.items():
        root = value
        while isinstance(root.base, np.ndarray):
            root = root.base
        assert root.nbytes == value.nbytes or name == "embed.positions", name


# --- masks -------------------------------------------------------------------------


def test_the_mask_in_force_is_kept(gpt, bert):
    n = len(gpt.encode(TEXT))
    assert (trace_run(gpt, TEXT).mask == np.tri(n, dtype=bool)).all()
    assert trace_run(bert, TEXT).mask.all()


@pytest.mark.parametrize("which", ["gpt", "bert"])
def test_a_mask_replaces_the_models_own(which, request):
    model = request.getfixturevalue(which)
    n = len(model.encode(TEXT))
    mask = np.random.default_rng(0).random((n, n)) > 0.5
    mask[3] = False
    trace = trace_run(model, TEXT, mask=mask)
    assert (trace.mask == mask).all()
    weights = trace["blocks.1.attn.weights"]
    assert (weights[:, ~mask] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1)[:, mask.any(axis=1)], 1, atol=1e-6)
    assert (weights[:, 3] == 0).all()
    assert (trace["blocks.1.attn.z"][:, 3] == 0).all()
    same(trace, trace_run(model, TEXT, mask=mask.astype(np.int64)))  # 0 and 1 will do


def test_a_trace_keeps_its_mask_whatever_becomes_of_the_callers(gpt):
    n = len(gpt.encode(TEXT))
    mask = np.eye(n, dtype=bool)
    trace = trace_run(gpt, TEXT, mask=mask)
    mask[:] = True
    assert (trace.mask == np.eye(n, dtype=bool)).all()
    assert not trace.mask.flags.writeable
    # PyTorch warns, once a process, of memory that it must not write to.
    always = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        again = trace_run(gpt, TEXT, mask=trace.mask)
    finally:
        torch.set_warn_always(always)
    same(trace, again)


def test_a_mask_in_a_batch_hides_padding_too(gpt):
    texts = ["The cat", TEXT]
    n = max(len(gpt.encode(text)) for text in texts)
    short, _ = trace_run(gpt, texts, mask=np.ones((n, n), bool))
    m = len(gpt.encode("The cat"))
    same(short, trace_run(gpt, "The cat", mask=np.ones((m, m), bool)))


@pytest.mark.parametrize("shape", [(3, 3), (3,), (1, 99, 99)])
def test_a_mask_of_the_wrong_shape_is_an_error(gpt, shape):
    n = len(gpt.encode(TEXT))
    with pytest.raises(MaskError) as caught:
        trace_run(gpt, TEXT, mask=np.ones(shape, bool))
    assert (caught.value.got, caught.value.wanted) == (shape, (n, n))
    assert str(caught.value) == f"the mask has shape {shape}, and this run needs {(n, n)}"


# --- sites -------------------------------------------------------------------------


def test_only_the_sites_asked_for_are_recorded(gpt):
    trace = trace_run(gpt, TEXT, sites=["blocks.*.attn.weights", "logits"])
    assert list(trace) == ["blocks.0.attn.weights", "blocks.1.attn.weights", "logits"]
    whole = trace_run(gpt, TEXT)
    for name in trace:
        np.testing.assert_array_equal(trace[name], whole[name])
    assert trace.nbytes < whole.nbytes / 2


def test_a_derived_site_asked_for_brings_what_it_is_made_from(gpt):
    trace = trace_run(gpt, TEXT, sites=["blocks.0.attn.dots", "blocks.*.attn.scores_masked"])
    assert set(trace) == {
        "blocks.0.attn.q", "blocks.0.attn.k", "blocks.0.attn.scores", "blocks.1.attn.scores"
    }  # fmt: skip
    assert trace["blocks.0.attn.dots"].shape == trace["blocks.1.attn.scores_masked"].shape


def test_a_site_the_model_does_not_have_is_an_error(gpt):
    with pytest.raises(UnknownSiteError, match=r"'blocks.7.attn.q'; did you mean blocks.\d.attn.q"):
        trace_run(gpt, TEXT, sites=["blocks.7.attn.q"])


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("blocks.*.atn.weights", "blocks.*.attn.weights"),
        ("blocks.*.attn.weight", "blocks.*.attn.weights"),
        ("block.*.ffn.out", "blocks.*.ffn.out"),
        ("*.scores_maskd", "scores_masked"),
        ("blocks.0.attn.dot", "blocks.0.attn.dots"),
        ("Logits", "logits"),
        ("blocks.2.*", "blocks"),
        ("*zzz*", ""),
        ("", ""),
    ],
)
@pytest.mark.parametrize("others", [[], ["logits"]], ids=["alone", "beside a good one"])
def test_a_pattern_that_fits_no_site_is_an_error_that_names_the_nearest(gpt, asked, near, others):
    with pytest.raises(UnknownSiteError) as caught:
        trace_run(gpt, TEXT, sites=[*others, asked])
    assert caught.value.name == asked
    assert near in caught.value.near[0]
    assert f"did you mean {caught.value.near[0]}" in str(caught.value)


def test_a_pattern_may_fit_derived_sites_alone(gpt):
    trace = trace_run(gpt, TEXT, sites=["*.d?ts", "blocks.1.attn.scores_*"])
    assert list(trace) == [
        "blocks.0.attn.q", "blocks.0.attn.k", "blocks.1.attn.q", "blocks.1.attn.k",
        "blocks.1.attn.scores",
    ]  # fmt: skip
    assert trace["blocks.1.attn.scores_masked"].shape == trace["blocks.0.attn.dots"].shape


# --- edits -------------------------------------------------------------------------

SITE = "blocks.0.attn.z"


def test_zeroing_a_head_takes_its_part_out_of_the_output(gpt):
    whole, cut = trace_run(gpt, TEXT), trace_run(gpt, TEXT, edits=[Edit(SITE, (1,))])
    assert (cut[SITE][1] == 0).all()
    np.testing.assert_array_equal(cut[SITE][0], whole[SITE][0])
    w_o = whole.weights["blocks.0.attn.w_o.weight"]
    head_1 = whole[SITE][1] @ w_o[:, 8:].T
    np.testing.assert_allclose(
        cut["blocks.0.attn.out"], whole["blocks.0.attn.out"] - head_1, atol=1e-6
    )
    assert not np.allclose(cut["logits"], whole["logits"])


def test_mean_puts_the_mean_over_positions_everywhere(gpt):
    whole = trace_run(gpt, TEXT)
    cut = trace_run(gpt, TEXT, edits=[Edit(SITE, (0,), "mean")])
    mean = whole[SITE][0].mean(axis=0)
    np.testing.assert_allclose(cut[SITE][0], np.tile(mean, (len(whole.ids), 1)), atol=1e-6)
    np.testing.assert_array_equal(cut[SITE][1], whole[SITE][1])


def test_a_value_goes_to_one_cell_and_none_means_all(gpt):
    whole = trace_run(gpt, TEXT)
    cut = trace_run(gpt, TEXT, edits=[Edit(SITE, (None, 2, -1), 7.5)])
    expected = whole[SITE].copy()
    expected[:, 2, -1] = 7.5
    np.testing.assert_array_equal(cut[SITE], expected)


def test_edits_follow_each_other_in_order(gpt):
    edits = [Edit(SITE, (0,), 1.0), Edit(SITE, (0, 0), 2.0), Edit("blocks.1.attn.z", (0,))]
    trace = trace_run(gpt, TEXT, edits=edits)
    assert (trace[SITE][0, 0] == 2).all()
    assert (trace[SITE][0, 1:] == 1).all()
    assert (trace["blocks.1.attn.z"][0] == 0).all()


def test_an_edit_leaves_the_model_and_other_runs_alone(gpt):
    before = trace_run(gpt, TEXT)
    # The table of positions is recorded as it lies in the model's own memory.
    trace_run(gpt, TEXT, edits=[Edit("embed.positions"), Edit("blocks.0.resid_pre")])
    same(trace_run(gpt, TEXT), before)


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (Edit("blocks.0.attn.zz"), "this model has no such site"),
        (Edit("blocks.9.attn.z"), "this model has no such site"),
        (Edit(SITE, (2,)), "axis 0 has 2 entries"),
        (Edit(SITE, (-3,)), "axis 0 has 2 entries"),
        (Edit(SITE, (None, 999)), "axis 1 has"),
        (Edit(SITE, (0, 0, 0, 0)), "the site has 3 axes"),
        (Edit(SITE, (), "zeros"), "'zeros' is not 'zero', 'mean' or a number"),
        (Edit(SITE, (), float("nan")), "nan is not"),
        (Edit(SITE, (), float("inf")), "inf is not"),
        (Edit(SITE, (), True), "True is not 'zero', 'mean' or a number"),
        (Edit(SITE, (), None), "None is not 'zero'"),
        (Edit(SITE, (), [1.0]), r"\[1.0\] is not 'zero'"),
        (Edit(SITE, (), 1j), "1j is not 'zero'"),
        (Edit(SITE, (), 1e39), r"1e\+39 is too large; the largest number here is 3.4e\+38"),
        (Edit(SITE, (), -1e39), r"-1e\+39 is too large"),
        (Edit(SITE, (), 10**400), r"10\^400 is too large"),
        (Edit(SITE, (), -(10**5000)), r"-10\^5000 is too large"),
        (Edit(SITE, (1.0,)), "axis 0 has index 1.0; it must be a whole number, or None"),
        (Edit(SITE, (None, True)), "axis 1 has index True; it must be a whole number"),
        (Edit(SITE, ("0",)), "axis 0 has index '0'; it must be a whole number"),
        (Edit(SITE, (slice(2),)), "axis 0 has index slice"),
        (Edit(SITE, (10**400,)), "axis 0 has 2 entries"),
        (Edit(SITE, 0), "the index must hold one entry an axis"),
    ],
)
def test_an_edit_that_does_not_fit_is_an_error(gpt, edit, problem):
    with pytest.raises(EditError, match=problem) as caught:
        trace_run(gpt, TEXT, edits=[edit])
    assert caught.value.site == edit.site


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_number_that_a_trace_holds_can_be_put_in(gpt, sign):
    largest = sign * float(np.finfo(np.float32).max)
    found = trace_run(gpt, TEXT, edits=[Edit("logits", (0, 0), largest)])
    assert found["logits"][0, 0] == largest


@pytest.mark.parametrize("which", ["gpt", "bert"])
@pytest.mark.parametrize(
    "edits",
    [
        [Edit(SITE, (0,), "mean")],
        [Edit(SITE, (1, 1), "mean"), Edit("blocks.1.attn.z", (), "mean")],
        [Edit("blocks.0.resid_pre", (), "mean")],
        [Edit("blocks.0.attn.weights", (), "mean")],
        [Edit("blocks.0.attn.scores", (0, -1, -1), "mean"), Edit(SITE, (None, -1), 2.0)],
        [Edit("embed.positions", (), "mean")],  # one table for all rows, but not one mean
        [Edit("blocks.1.ffn.post", (-1, 3), 5.0)],
        [Edit("embed.positions", (-1,))],
    ],
    ids=range(8),
)
def test_each_row_of_a_batch_is_edited_as_if_it_ran_alone(which, edits, request):
    """Another row's padding is in no mean, and the last position is the text's own last."""
    model = request.getfixturevalue(which)
    texts = ["The cat", TEXT, "a"]
    traces = trace_run(model, texts, edits=edits)
    for trace, text in zip(traces, texts, strict=True):
        same(trace, trace_run(model, text, edits=edits))


def test_an_edit_beyond_one_row_of_a_batch_is_an_error(gpt):
    n = len(gpt.encode("a"))
    with pytest.raises(EditError, match=f"axis 1 has {n} entries"):
        trace_run(gpt, [TEXT, "a"], edits=[Edit(SITE, (0, n))])


@pytest.mark.parametrize("value", [3, np.float32(3), np.float64(3), np.int64(3), 3e38, -3e38])
def test_numbers_of_numpy_and_large_ones_will_do(byte_bpe, gpt, value):
    for model in (gpt, loaded(tiny_gpt(), byte_bpe)):
        edit = Edit("logits", (np.int64(1), None), value)
        assert (trace_run(model, TEXT, edits=[edit])["logits"][1] == np.float32(value)).all()


def test_the_mean_needs_positions(bert):
    with pytest.raises(EditError, match="no positions to take the mean over"):
        trace_run(bert, TEXT, edits=[Edit("pooler.out", (), "mean")])


# --- what a user can do wrong -------------------------------------------------------


@pytest.mark.parametrize("nothing", [[], (), np.array([], dtype=int), [[]], ["a", []]])
def test_nothing_to_run_on_is_an_error(gpt, nothing):
    with pytest.raises(EmptyInputError, match="the text is empty"):
        trace_run(gpt, nothing)


def test_an_empty_text_still_has_the_models_mark(gpt, bert):
    assert len(trace_run(gpt, "").ids) == 1
    assert len(trace_run(bert, "").ids) == 2


def test_more_than_the_context_is_an_error(gpt):
    with pytest.raises(
        InputTooLongError, match="tokens and the model's context holds 32"
    ) as caught:
        trace_run(gpt, "word " * 100)
    assert caught.value.limit == 32
    assert caught.value.got > 100


@pytest.mark.parametrize("bad", [-1, 300, 10**9])
def test_an_id_outside_the_vocabulary_is_an_error(gpt, bad):
    with pytest.raises(ParameterError, match=f"id is {bad}; it must be between 0 and 299"):
        trace_run(gpt, [1, bad])


@pytest.mark.parametrize("pair", [("a", "b"), [("a", "b"), ("c", "d")]], ids=["one", "batch"])
def test_a_model_without_segments_takes_no_pair(gpt, wordpiece, pair):
    with pytest.raises(AbilityError, match="model TINY-GPT cannot read two segments"):
        trace_run(gpt, pair)
    one_type = loaded(tiny_bert(n_types=1), wordpiece)
    with pytest.raises(AbilityError, match="model TINY-BERT cannot read two segments"):
        trace_run(one_type, pair)
    assert len(trace_run(one_type, "a").ids) == 3


def test_a_context_that_does_not_hold_the_marks_is_an_error(wordpiece):
    model = loaded(tiny_bert(n_ctx=2), wordpiece)
    with pytest.raises(NoRoomError, match="context length of 2, and its own markers take 3"):
        trace_run(model, ("a", "b"))
    with pytest.raises(InputTooLongError, match="3 tokens and the model's context holds 2"):
        trace_run(model, "a")
    with pytest.raises(NoRoomError, match="context length of 1, and its own markers take 2"):
        trace_run(loaded(tiny_bert(n_ctx=1), wordpiece), ["", "a"])


@pytest.mark.parametrize(
    ("inputs", "problem"),
    [
        ([1, 2.5], "id is 2.5; it must be a whole number"),
        ([1, "a"], "id is 'a'; it must be a whole number"),
        ([[1], [2, None]], "id is None; it must be a whole number"),
        (["a", 1], "inputs is 1; it must be a text, a pair of texts, ids, or a list of such"),
        (None, "inputs is None; it must be a text"),
        (5, "inputs is 5; it must be a text"),
    ],
)
def test_what_is_no_text_and_no_ids_is_an_error(gpt, inputs, problem):
    with pytest.raises(ParameterError, match=problem):
        trace_run(gpt, inputs)


def test_a_model_without_a_decoder_takes_no_target(gpt):
    with pytest.raises(AbilityError, match="cannot read a source and a target"):
        trace_run(gpt, "a", target="b")


# --- of a model that learns ----------------------------------------------------------


def test_a_trace_stays_as_it_was_when_its_model_learns(byte_bpe):
    model = loaded(tiny_gpt(), byte_bpe)
    model.model.requires_grad_(True)
    trace = trace_run(model, [1, 5, 7])
    before = {name: value.copy() for name, value in trace.items()}
    assert trace.weights["embed.positions.weight"].shape == (
        model.config.n_ctx,
        model.config.d_model,
    )
    optimiser = torch.optim.SGD(model.model.parameters(), lr=0.1)
    model.model(torch.tensor([[1, 5, 7]])).square().mean().backward()
    optimiser.step()
    for name, value in trace.items():
        np.testing.assert_array_equal(value, before[name], err_msg=name)
    with pytest.raises(ModelChangedError):
        _ = trace.weights["embed.positions.weight"]
    again = trace_run(model, [1, 5, 7])
    assert not np.allclose(again["embed.positions"], before["embed.positions"])
    own = model.model.embed.positions.weight.detach()[:3]
    np.testing.assert_array_equal(again.weights["embed.positions.weight"][:3], own)
