"""The Transformer of 2017: two towers, writing step by step. Parity is in tests/parity."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
import torch

from core.decoding.generate import stream
from core.decoding.greedy import greedy
from core.decoding.settings import GREEDY, Sampling
from core.errors import (
    AbilityError,
    ConfigError,
    EmptyInputError,
    InputTooLongError,
    NoRoomError,
    ParameterError,
)
from core.inputs import Batch, Ids, Padded, Pair, Shuffled, SourceTarget, Text
from core.models.protocol import Model
from core.models.transformer import Transformer, TransformerConfig
from core.nn.masks import causal_mask, padding_mask
from core.nn.positions import sinusoidal_positions
from core.tracing import Edit, trace_run
from core.tracing.tap import Recorder
from tests.conftest import loaded, tiny_transformer

SIZES = {
    "vocab_size": 30, "n_ctx": 8, "d_model": 6, "encoder_n_layers": 2, "decoder_n_layers": 3,
    "n_heads": 3, "d_ff": 9, "start_id": 1, "end_id": 2,
}  # fmt: skip
SOURCE, TARGET = "The cat sat on the mat.", "the dog told a story"


@pytest.fixture
def model() -> Transformer:
    return tiny_transformer(encoder_n_layers=1, decoder_n_layers=3).double()


def some_ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(120, (batch, n), generator=torch.Generator().manual_seed(n))


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


# --- shapes and who sees what -------------------------------------------------------


def test_logits_have_one_row_a_target_position(model):
    assert model(some_ids(7, 3), some_ids(4, 3)).shape == (3, 4, 120)
    assert model.encode(some_ids(7, 3)).shape == (3, 7, 16)


def test_a_later_target_token_changes_nothing_before_it(model):
    source, ids = some_ids(7), some_ids(9)
    changed = ids.clone()
    changed[0, 5] += 1
    before, after = model(source, ids)[0], model(source, changed)[0]
    close(before[:5], after[:5])
    assert not torch.allclose(before[5:], after[5:])


def test_every_source_token_reaches_every_target_position(model):
    source, ids = some_ids(7), some_ids(4)
    for at in range(7):
        changed = source.clone()
        changed[0, at] = (changed[0, at] + 1) % 120
        before, after = model(source, ids)[0], model(changed, ids)[0]
        assert ((before - after).abs().amax(-1) > 1e-9).all()


def test_the_encoder_sees_both_sides_and_knows_no_target(model):
    source = some_ids(7)
    changed = source.clone()
    changed[0, 6] += 1
    assert not torch.allclose(model.encode(source)[0, 0], model.encode(changed)[0, 0])
    one, two = Recorder(), Recorder()
    model(source, some_ids(4), tap=one)
    model(source, some_ids(9), tap=two)
    names = [name for name in one.values if name.startswith("encoder.")]
    assert len(names) > 20
    for name in names:
        assert one.values[name].equal(two.values[name]), name


def test_a_mask_takes_the_place_of_the_causal_one(model):
    source, ids = some_ids(5), some_ids(6)
    close(model(source, ids, decoder_mask=causal_mask(6, 6)), model(source, ids))
    changed = ids.clone()
    changed[0, 5] += 1
    everybody = torch.ones(6, 6, dtype=torch.bool)
    before, after = (model(source, t, decoder_mask=everybody)[0, 0] for t in (ids, changed))
    assert not torch.allclose(before, after)


def test_padding_in_a_batch_changes_nothing(model):
    sources, targets = [some_ids(5), some_ids(8)], [some_ids(6), some_ids(3)]

    def filled(rows):
        longest = max(row.shape[1] for row in rows)
        return torch.cat([
            torch.nn.functional.pad(row, (0, longest - row.shape[1])) for row in rows
        ])  # fmt: skip

    of_source, of_target = padding_mask([5, 8], 8), padding_mask([6, 3], 6)
    logits = model(
        filled(sources), filled(targets), encoder_mask=of_source,
        decoder_mask=causal_mask(6, 6) & of_target, cross_mask=of_source,
    )  # fmt: skip
    for row, (source, target) in enumerate(zip(sources, targets, strict=True)):
        close(logits[row, : target.shape[1]], model(source, target)[0])


def test_a_token_is_its_row_times_sqrt_d_model_plus_its_place(model):
    tap = Recorder()
    ids = some_ids(3)
    model(some_ids(5), ids, tap=tap)
    rows = model.embed.tokens.weight[ids] * math.sqrt(16)
    places = sinusoidal_positions(3, 16).double()
    close(tap.values["decoder.blocks.0.resid_pre"], rows + places)


# --- sizes and weights --------------------------------------------------------------


def test_one_table_serves_both_sides_and_the_output():
    attention, ffn = 4 * (6 * 6 + 6), (6 * 9 + 9) + (9 * 6 + 6)
    assert sum(p.numel() for p in Transformer(TransformerConfig(**SIZES)).parameters()) == (
        30 * 6  # the table; places are not learned
        + 2 * (attention + ffn + 2 * 12)  # encoder
        + 3 * (2 * attention + ffn + 3 * 12)  # decoder
    )


def test_initial_weights():
    sizes = SIZES | {"d_model": 96, "d_ff": 384, "vocab_size": 500}
    model = Transformer(TransformerConfig(**sizes), torch.Generator().manual_seed(3))
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            assert (parameter == 0).all(), name
        elif parameter.ndim == 1:
            assert (parameter == 1).all(), name
        elif name.startswith("embed"):
            assert parameter.std().item() == pytest.approx(96**-0.5, rel=0.05)
        else:  # Glorot & Bengio 2010: uniform with variance 2 / (inputs + outputs)
            expected = math.sqrt(2 / sum(parameter.shape))
            assert parameter.std().item() == pytest.approx(expected, rel=0.05), name
            assert parameter.abs().max() <= expected * math.sqrt(3)


def test_a_seed_makes_the_same_model_whatever_the_global_state():
    first = Transformer(TransformerConfig(**SIZES), torch.Generator().manual_seed(1))
    torch.rand(3)
    second = Transformer(TransformerConfig(**SIZES), torch.Generator().manual_seed(1))
    for a, b in zip(first.parameters(), second.parameters(), strict=True):
        assert a.equal(b)


NUMBERS = [name for name in SIZES if not name.endswith("_id")]


@pytest.mark.parametrize("name", NUMBERS)
def test_sizes_start_at_one(name):
    with pytest.raises(ConfigError, match=f"config field '{name}': must be at least 1"):
        TransformerConfig(**SIZES | {name: 0})


@pytest.mark.parametrize("name", ["encoder_n_layers", "decoder_n_layers"])
def test_there_is_an_end_to_layers(name):
    with pytest.raises(ConfigError, match=f"'{name}': must be at most 1,024"):
        TransformerConfig(**SIZES | {name: 1025})


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"n_heads": 4}, "'n_heads': must divide d_model, 6"),
        ({"d_model": 9}, "'d_model': must be even: sines and cosines come in pairs"),
        ({"activation": "tanh"}, "'activation': must be one of relu"),
        ({"eps": 0.0}, "'eps': must be above 0 and below 1"),
        ({"start_id": 30}, "'start_id': must be an id of the vocabulary"),
        ({"end_id": -1}, "'end_id': must be an id of the vocabulary"),
    ],
)
def test_a_config_that_cannot_be_built_is_an_error(changes, problem):
    with pytest.raises(ConfigError, match=problem):
        TransformerConfig(**SIZES | changes)


def test_what_it_can_do(model):
    assert isinstance(model, Model)
    assert model.abilities == {"translate"}
    assert model.takes == {Text, Ids, Batch, Shuffled, Padded, SourceTarget}


def test_more_than_the_context_is_an_error(model):
    with pytest.raises(InputTooLongError, match="33 tokens and the model's context holds 32"):
        model.encode(some_ids(33))
    with pytest.raises(InputTooLongError, match="33 tokens"):
        model(some_ids(3), some_ids(33))


# --- writing ------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [[4, 1, 1, 1], [1] * 9, [3, 4, 2], [9]])
@pytest.mark.parametrize("batch", [1, 3])
def test_written_step_by_step_is_as_all_at_once(model, parts, batch):
    source, ids, at = some_ids(7, batch), some_ids(9, batch), 0
    decoder = model.begin(source)
    assert (decoder.length, decoder.room) == (0, 32)
    for n in parts:
        logits = decoder.push(ids[:, at : at + n])
        at += n
        close(logits, model(source, ids[:, :at])[:, -n:])
        assert (decoder.length, decoder.room) == (at, 32 - at)


def test_a_padded_batch_is_written_as_each_row_alone(model):
    short, long, ids = some_ids(4), some_ids(7), some_ids(5, 2)
    sources = torch.cat([torch.nn.functional.pad(short, (0, 3)), long])
    decoder = model.begin(sources, source_mask=padding_mask([4, 7], 7))
    for at in range(5):
        logits = decoder.push(ids[:, at : at + 1])
        for row, source in enumerate((short, long)):
            expected = model(source, ids[row : row + 1, : at + 1])[0, -1]
            close(logits[row, 0], expected)
    alone = decoder.fork([0], 3)
    new = torch.tensor([[7]])
    close(alone.push(new), model(short, torch.cat([ids[:1], new], dim=1))[:, -1:])


def test_forks_go_on_by_themselves(model):
    """As in a beam: rows of two sources are kept, doubled and dropped."""
    sources, start, more = some_ids(7, 2), some_ids(3, 2), some_ids(2, 3)
    decoder = model.begin(sources)
    decoder.push(start)
    rows = [1, 0, 1]
    fork = decoder.fork(rows, 4)
    assert (fork.length, fork.room) == (3, 4)
    for at in range(2):
        logits = fork.push(more[:, at : at + 1])
        for n, row in enumerate(rows):
            written = torch.cat([start[row], more[n, : at + 1]])[None]
            close(logits[n], model(sources[row : row + 1], written)[0, -1:])
    single = fork.fork([2], 2)
    for new in (torch.tensor([[8]]), torch.tensor([[9]])):
        before = single.push(new)
    written = torch.cat([start[1], more[2], torch.tensor([8, 9])])[None]
    close(before, model(sources[1:], written)[:, -1:])
    assert (decoder.length, fork.length, single.length) == (3, 5, 7)
    close(decoder.push(more[:2, :1]), model(sources, torch.cat([start, more[:2, :1]], 1))[:, -1:])


def test_a_decoder_has_no_more_room_than_the_context(model):
    assert model.begin(some_ids(3), 100).room == 32
    decoder = model.begin(some_ids(3), 4)
    decoder.push(some_ids(3))
    assert decoder.fork([0], 100).room == 29
    decoder.push(some_ids(1))
    for n in (1, 2):
        with pytest.raises(InputTooLongError, match=f"{4 + n} tokens and .* holds 4"):
            decoder.push(some_ids(n))
    assert decoder.length == 4


def test_what_is_kept_is_the_source_once_and_the_target_so_far(model):
    decoder = model.begin(some_ids(7))
    of_source = 3 * 2 * 7 * 16 * 8  # layers, k and v, positions, D, bytes
    assert decoder.nbytes == of_source
    for at in range(1, 4):
        decoder.push(some_ids(1))
        assert decoder.nbytes == of_source + 3 * 2 * at * 16 * 8


def test_a_step_can_be_watched(model):
    source, ids, tap = some_ids(7), some_ids(4), Recorder()
    decoder = model.begin(source)
    decoder.push(ids[:, :3])
    logits = decoder.push(ids[:, 3:], tap)
    close(logits, model(source, ids)[:, -1:])
    assert tap.values["decoder.blocks.2.attn.weights"].shape == (1, 2, 1, 4)
    assert tap.values["decoder.blocks.2.cross_attn.weights"].shape == (1, 2, 1, 7)
    assert "decoder.blocks.2.cross_attn.k" not in tap.values  # made once, before


def test_generation_is_the_argmax_of_full_runs(model):
    source, ids = some_ids(6), [2]
    for step in stream(model.begin(source), ids, max_new=12, sampling=GREEDY):
        logits = model(source, torch.tensor([ids]))[0, -1]
        close(step.logits, logits)
        assert step.token == int(logits.argmax())
        assert (step.computed, step.reused) == (1, len(ids) - 1)
        ids.append(step.token)
    assert len(ids) == 13


def test_sampling_goes_by_its_seed(model):
    def text(seed):
        sampling = Sampling(1.0, 0, 1.0, seed=seed)
        return [step.token for step in stream(model.begin(some_ids(6)), [2], max_new=15,
                                              sampling=sampling)]  # fmt: skip

    assert text(1) == text(1) != text(2)


# --- traced -------------------------------------------------------------------------


def same(a, b) -> None:
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_allclose(a[name], b[name], atol=1e-6, err_msg=name)
    for name in a.streams:
        assert a.streams[name].ids == b.streams[name].ids
        assert a.streams[name].written == b.streams[name].written
    for name in a.masks:
        np.testing.assert_array_equal(a.masks[name], b.masks[name])


def test_a_trace_has_two_streams_and_three_masks(transformer):
    trace = trace_run(transformer, SOURCE, target=TARGET)
    source, target = trace.streams["source"], trace.streams["target"]
    assert list(trace.streams) == ["source", "target"]
    assert trace.main is target
    assert trace.ids == target.ids == (2, *transformer.tokenizer.encode(TARGET, special=False))
    assert source.ids == tuple(transformer.encode(SOURCE))
    assert not source.written
    assert not target.written
    s, t = len(source.tokens), len(target.tokens)
    assert trace.masks["encoder"].all()
    assert (trace.masks["decoder"] == np.tri(t, dtype=bool)).all()
    assert (trace.mask == trace.masks["decoder"]).all()
    assert trace.masks["cross"].shape == (t, s)
    assert (trace.mask_at("decoder.blocks.1.cross_attn.") == trace.masks["cross"]).all()
    logits = transformer.model(torch.tensor([source.ids]), torch.tensor([target.ids]))
    np.testing.assert_allclose(trace["logits"], logits[0].float().numpy(), atol=1e-6)


def test_what_follows_from_cross_attention_is_rectangular(transformer):
    trace = trace_run(transformer, SOURCE, target="the dog")
    cross = "decoder.blocks.0.cross_attn"
    t, s = (len(trace.streams[name].tokens) for name in ("target", "source"))
    assert t != s
    assert trace[f"{cross}.dots"].shape == (2, t, s)
    np.testing.assert_allclose(
        trace[f"{cross}.dots"] / math.sqrt(8), trace[f"{cross}.scores"], atol=1e-5
    )
    np.testing.assert_array_equal(trace[f"{cross}.scores_masked"], trace[f"{cross}.scores"])
    own = trace["decoder.blocks.0.attn.scores_masked"]
    assert (own[:, ~np.tri(t, dtype=bool)] == -np.inf).all()


def test_without_a_target_it_writes_the_likeliest_one_and_says_so(transformer):
    trace = trace_run(transformer, SOURCE)
    assert trace.main.written
    assert not trace.streams["source"].written
    ids = [2]
    source = torch.tensor([transformer.encode(SOURCE)])
    while len(ids) < 32:
        best = int(transformer.model(source, torch.tensor([ids]))[0, -1].argmax())
        if best == transformer.config.end_id:
            break
        ids.append(best)
    assert list(trace.ids) == ids
    assert len(ids) > 1


def test_what_it_writes_ends_where_the_model_ends_it(wordpiece):
    """The first token it would write, as the end mark: nothing is left but the start."""
    model = tiny_transformer(vocab_size=97)
    first = trace_run(loaded(model, wordpiece), SOURCE).ids[1]
    ended = tiny_transformer(vocab_size=97, end_id=first)
    ended.load_state_dict(model.state_dict())
    trace = trace_run(loaded(ended, wordpiece), SOURCE)
    assert trace.ids == (2,)
    assert trace.main.written


def test_the_time_of_a_run_is_that_of_the_writing_too(transformer, monkeypatch):
    """By a clock that only writing moves: five seconds a target."""
    now = [0.0]

    def slowly(*given):
        now[0] += 5
        return greedy(*given)

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr("core.models.encoder_decoder.machine.greedy", slowly)
    assert trace_run(transformer, SOURCE).seconds == 5
    assert [trace.seconds for trace in trace_run(transformer, [SOURCE, "The cat"])] == [10, 10]
    assert trace_run(transformer, SOURCE, target=TARGET).seconds == 0


def test_a_batch_is_each_row_by_itself(transformer):
    rows = (
        SourceTarget("The cat", "the dog told a story"),
        SourceTarget(SOURCE, "a"),
        Text("a"),
        Ids((2, 45, 54, 3)),
        SourceTarget(SOURCE),
    )
    traces = trace_run(transformer, Batch(rows))
    assert [trace.main.written for trace in traces] == [False, False, True, True, True]
    for trace, row in zip(traces, rows, strict=True):
        same(trace, trace_run(transformer, row))


def test_short_forms_are_sources(transformer):
    same(trace_run(transformer, SOURCE), trace_run(transformer, Text(SOURCE)))
    same(trace_run(transformer, transformer.encode(SOURCE)), trace_run(transformer, SOURCE))
    given = SourceTarget(SOURCE, TARGET)
    same(trace_run(transformer, SOURCE, target=TARGET), trace_run(transformer, given))
    one, two = trace_run(transformer, [SOURCE, "The cat"])
    same(two, trace_run(transformer, "The cat"))
    same(one, trace_run(transformer, SOURCE))


def test_padding_in_sight_belongs_to_the_source(transformer):
    plain, padded = Text("The cat"), Padded(Text("The cat"), (SOURCE,))
    trace = trace_run(transformer, padded)
    source = trace.streams["source"]
    n = len(transformer.encode("The cat"))
    assert source.n_padding == len(transformer.encode(SOURCE)) - n
    assert len(source.tokens) == n + source.n_padding
    assert not np.allclose(
        trace["encoder.blocks.1.ln_2.out"][:n],
        trace_run(transformer, plain)["encoder.blocks.1.ln_2.out"],
    )


def test_a_mask_of_a_trace_is_the_decoders(transformer):
    n = len(trace_run(transformer, SOURCE, target=TARGET).ids)
    mask = np.eye(n, dtype=bool)
    trace = trace_run(transformer, SOURCE, target=TARGET, mask=mask)
    assert (trace.masks["decoder"] == mask).all()
    assert (trace["decoder.blocks.0.attn.weights"][:, ~mask] == 0).all()
    assert trace.masks["encoder"].all()
    assert trace.masks["cross"].all()


def test_an_edit_of_the_source_reaches_the_target_and_not_the_other_way(transformer):
    whole = trace_run(transformer, SOURCE, target=TARGET)
    source = trace_run(
        transformer, SOURCE, target=TARGET, edits=[Edit("encoder.blocks.0.attn.z", (1,))]
    )
    assert (source["encoder.blocks.0.attn.z"][1] == 0).all()
    assert not np.allclose(source["logits"], whole["logits"])
    edit = Edit("decoder.blocks.1.cross_attn.z", (0,), "mean")
    target = trace_run(transformer, SOURCE, target=TARGET, edits=[edit])
    mean = whole[edit.site][0].mean(0)
    np.testing.assert_allclose(target[edit.site][0], np.tile(mean, (len(whole.ids), 1)), atol=1e-6)
    for name in whole:
        if name.startswith("encoder."):
            np.testing.assert_array_equal(target[name], whole[name])


def test_a_mean_in_a_batch_is_over_each_rows_own_positions(transformer):
    """The places are one table for all rows, but each row ends somewhere else."""
    rows = (SourceTarget(SOURCE, "a"), SourceTarget("The cat", TARGET))
    for site in (
        "encoder.embed.positions",
        "decoder.blocks.0.cross_attn.k",
        "decoder.embed.scaled",
    ):
        edits = [Edit(site, (), "mean")]
        for trace, row in zip(trace_run(transformer, Batch(rows), edits=edits), rows, strict=True):
            same(trace, trace_run(transformer, row, edits=edits))


# --- what a user can do wrong -------------------------------------------------------


def test_it_reads_no_pair(transformer):
    with pytest.raises(AbilityError, match="TINY-TRANSFORMER cannot read two segments"):
        trace_run(transformer, ("a", "b"))
    with pytest.raises(AbilityError, match="cannot read two segments"):
        trace_run(transformer, Batch((Text("a"), Pair("a", "b"))))


@pytest.mark.parametrize("given", [Ids(()), Batch(()), Batch((Text("a"), Ids(())))])
def test_nothing_to_read_is_an_error(transformer, given):
    with pytest.raises(EmptyInputError):
        trace_run(transformer, given)


def test_an_empty_target_is_its_start(transformer):
    assert trace_run(transformer, SourceTarget("The cat", "")).ids == (2,)


def test_sides_that_do_not_fit_are_an_error(transformer, wordpiece):
    long = "The cat sat on the mat. " * 9
    with pytest.raises(InputTooLongError, match="context holds 32"):
        trace_run(transformer, long)
    with pytest.raises(InputTooLongError, match="context holds 32"):
        trace_run(transformer, "The cat", target=long)
    with pytest.raises(ParameterError, match="id is 97; it must be between 0 and 96"):
        trace_run(transformer, Ids((5, 97)))
    with pytest.raises(ParameterError, match="id is -1; it must be between 0 and 96"):
        trace_run(transformer, Ids((-1,)))
    tiny = loaded(tiny_transformer(n_ctx=1), wordpiece)
    with pytest.raises(NoRoomError, match="context length of 1, and its own markers take 2"):
        trace_run(tiny, "a")


@pytest.mark.parametrize("given", [["a", "b"], [1, 2], Pair("a", "b")])
def test_a_target_goes_with_one_text(transformer, given):
    with pytest.raises(ParameterError, match="given with one text as its source"):
        trace_run(transformer, given, target="c")
