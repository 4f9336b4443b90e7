"""A machine that no file of the house knows goes through all of it: tests/machines/rnn.py.

It has recurrent layers, which compute one position after the other, and no
blocks; an attention that has no heads; and a state that does not grow. What
traces, edits, writes, keeps and stores asks it for nothing but the protocols.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core import zoo
from core.checkpoints import native
from core.decoding.decoder import Decoder
from core.decoding.generate import stream
from core.decoding.sampling import draw, filtered
from core.decoding.settings import GREEDY, Sampling
from core.encoders import Encoders
from core.errors import (
    AbilityError,
    EditError,
    InputTooLongError,
    MaskError,
    ParameterError,
    UnknownSiteError,
)
from core.inputs import Batch, Ids, Shuffled, SourceTarget, Text
from core.models.blueprint import Attention, Blueprint
from core.models.protocol import Model
from core.models.registry import ARCHITECTURES, Architecture
from core.runs.kinds.generation import GenerateRequest
from core.runs.kinds.trace import TraceRequest
from core.runs.mask_spec import MaskSpec
from core.runs.store import Runs
from core.tracing import Edit, trace_run
from core.tracing.tap import NO_TAP, Recorder
from tests.conftest import loaded, tiny_rnn
from tests.machines.rnn import RNN, RNNConfig, gru_of_torch
from tests.machines.rnn import Decoder as Writer

SOURCE, TARGET = "The cat sat on the mat.", "the dog told a story"
CROSS, STATE = "decoder.attn", "decoder.rnn.0.forward.hidden"


def some_ids(n: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(97, (batch, n), generator=torch.Generator().manual_seed(n))


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def same(a, b) -> None:
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_allclose(a[name], b[name], atol=1e-6, err_msg=name)
    for name in a.streams:
        assert a.streams[name].ids == b.streams[name].ids


# --- the machine itself -------------------------------------------------------------


def test_it_is_a_model(rnn):
    assert isinstance(rnn.model, Model)
    decoder: Decoder = rnn.model.begin(some_ids(3))
    assert decoder.room == 32


def test_its_layers_are_those_of_torch(rnn):
    encoder = rnn.model.encoder
    x = encoder.embed(some_ids(7, 2))
    for i, layer in enumerate(encoder.rnn):
        theirs, _ = gru_of_torch(layer, x.shape[-1])(x)
        tap = Recorder()
        encoder(some_ids(7, 2), [7, 7], tap)
        mine = [tap.values[f"rnn.{i}.{way}.hidden"] for way in ("forward", "backward")]
        torch.testing.assert_close(torch.cat(mine, -1), theirs, atol=1e-10, rtol=0)
        x = theirs
    torch.testing.assert_close(encoder(some_ids(7, 2), [7, 7]), x, atol=1e-10, rtol=0)


def test_its_decoder_is_a_layer_of_torch_over_what_it_attends_to(rnn):
    model, tap = rnn.model, Recorder()
    source, target = some_ids(6, 2), some_ids(5, 2)
    model(source, target, tap=tap)
    both = torch.cat([tap.values["decoder.embed.tokens"], tap.values[f"{CROSS}.z"]], -1)
    memory = torch.cat(
        [tap.values[f"encoder.rnn.1.{way}.hidden"] for way in ("forward", "backward")], -1
    )
    theirs = gru_of_torch(model.decoder.rnn[0], both.shape[-1])
    states, _ = theirs(both, model.first(memory)[None])
    torch.testing.assert_close(tap.values[STATE], states, atol=1e-10, rtol=0)
    torch.testing.assert_close(
        tap.values[f"{CROSS}.z"], tap.values[f"{CROSS}.weights"] @ memory, atol=1e-10, rtol=0
    )


def test_padding_changes_nothing(rnn):
    model, lengths = rnn.model, [3, 7]
    short, long, ids = some_ids(3), some_ids(7), some_ids(4, 2)
    sources = torch.cat([torch.nn.functional.pad(short, (0, 4)), long])
    mask = (torch.arange(7) < torch.tensor(lengths)[:, None])[:, None, None].expand(2, 1, 4, 7)
    real = mask[:, :, :1]
    logits = model(sources, ids, encoder_mask=real, cross_mask=mask)
    for row, source in enumerate((short, long)):
        close(logits[row], model(source, ids[row : row + 1])[0])


# --- traced -------------------------------------------------------------------------


def test_the_steps_of_a_layer_are_one_site(rnn):
    trace = trace_run(rnn, SOURCE, target=TARGET)
    s, t = (len(trace.streams[name].tokens) for name in ("source", "target"))
    assert trace["encoder.rnn.0.backward.update"].shape == (s, 8)
    assert trace[STATE].shape == (t, 8)
    assert trace[f"{CROSS}.weights"].shape == (t, s)
    assert trace[f"{CROSS}.scores_masked"].shape == (t, s)
    assert trace.mask.shape == (t, s)
    assert trace.dtype == "float64"
    np.testing.assert_allclose(trace[f"{CROSS}.weights"].sum(-1), 1, atol=1e-6)
    logits = rnn.model(torch.tensor([trace.streams["source"].ids]), torch.tensor([trace.ids]))
    np.testing.assert_allclose(trace["logits"], logits[0].float().numpy(), atol=1e-6)


def test_without_a_target_it_writes_one(rnn):
    trace = trace_run(rnn, SOURCE)
    assert trace.main.written
    source = torch.tensor([rnn.encode(SOURCE)])
    ids = [step.token for step in stream(rnn.model.begin(source), [2], max_new=31, sampling=GREEDY)]
    end = rnn.config.end_id
    written = ids[: ids.index(end)] if end in ids else ids
    assert list(trace.ids) == [2, *written]


def test_a_batch_is_each_row_by_itself(rnn):
    rows = (SourceTarget("a", TARGET), SourceTarget(SOURCE, "the dog"), Ids((2, 45, 54, 3)))
    for trace, row in zip(trace_run(rnn, Batch(rows)), rows, strict=True):
        same(trace, trace_run(rnn, row))


def test_sites_are_chosen_by_pattern(rnn):
    trace = trace_run(rnn, SOURCE, target=TARGET, sites=["*.hidden", "decoder.*.scores_masked"])
    assert f"{CROSS}.scores" in trace
    assert sum(name.endswith(".hidden") for name in trace) == 5
    with pytest.raises(UnknownSiteError, match=r"did you mean decoder.rnn.0.forward.hidden"):
        trace_run(rnn, SOURCE, sites=["decoder.rnn.0.forward.hiden"])


def test_a_mask_is_that_of_its_attention(rnn):
    whole = trace_run(rnn, SOURCE, target=TARGET)
    mask = np.random.default_rng(0).random(whole.mask.shape) > 0.5
    mask[2] = False
    trace = trace_run(rnn, SOURCE, target=TARGET, mask=mask)
    assert (trace.mask == mask).all()
    weights = trace[f"{CROSS}.weights"]
    assert (weights[~mask] == 0).all()
    np.testing.assert_allclose(weights.sum(-1)[mask.any(1)], 1, atol=1e-6)
    assert (trace[f"{CROSS}.z"][2] == 0).all()
    assert (trace[f"{CROSS}.scores_masked"][~mask] == -np.inf).all()
    with pytest.raises(MaskError):
        trace_run(rnn, SOURCE, target=TARGET, mask=mask.T)


class Deaf(RNN):
    """A machine in which nothing attends."""

    @property
    def blueprint(self) -> Blueprint:
        parts = super().blueprint.parts
        return Blueprint(tuple(part for part in parts if not isinstance(part, Attention)))


def test_a_mask_for_a_machine_that_attends_to_nothing_is_an_error(wordpiece):
    deaf = loaded(Deaf(tiny_rnn(vocab_size=97).config).eval(), wordpiece)
    assert trace_run(deaf, "a", target="b").masks == {}
    with pytest.raises(AbilityError, match="cannot attend to anything, so no mask fits it"):
        trace_run(deaf, "a", target="b", mask=np.ones((2, 3), bool))
    runs = Runs(load=lambda name, device: deaf)
    with pytest.raises(AbilityError, match="no mask fits it"):
        runs.get(TraceRequest("deaf", SourceTarget("a", "b"), MaskSpec("none")))


# --- edits at a step ----------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(rnn):
    return trace_run(rnn, SOURCE, target=TARGET)


def changed_rows(whole, edited, name: str) -> list[bool]:
    rows = zip(whole[name], edited[name], strict=True)
    return [not np.allclose(before, after, atol=1e-7) for before, after in rows]


@pytest.mark.parametrize("site", [STATE, "decoder.rnn.0.forward.reset", f"{CROSS}.weights"])
@pytest.mark.parametrize("value", ["zero", 0.25])
def test_an_edit_at_a_step_changes_what_follows_and_nothing_before(rnn, whole, site, value):
    at, n = 2, len(whole.ids)
    edited = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(site, (at,), value)])
    assert (edited[site][at] == (0 if value == "zero" else value)).all()
    for name in whole:
        if name.startswith("encoder.") or name == f"{CROSS}.k":
            np.testing.assert_array_equal(edited[name], whole[name])
    for name in ("logits", STATE):
        assert changed_rows(whole, edited, name) == [step >= at for step in range(n)]
    # The state decides what the next step looks at.
    assert changed_rows(whole, edited, f"{CROSS}.q") == [step > at for step in range(n)]


def test_an_edit_of_one_component_at_one_step(rnn, whole):
    edited = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(STATE, (1, 3), 0.5)])
    expected = whole[STATE][1].copy()
    expected[3] = 0.5
    np.testing.assert_allclose(edited[STATE][1], expected, atol=1e-6)
    assert changed_rows(whole, edited, STATE) == [at >= 1 for at in range(len(whole.ids))]


def test_an_edit_of_a_layer_that_reads_backwards_changes_what_stands_before(rnn, whole):
    site, at = "encoder.rnn.0.backward.hidden", 3
    edited = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(site, (at,))])
    n = len(whole.streams["source"].tokens)
    assert changed_rows(whole, edited, site) == [step <= at for step in range(n)]
    np.testing.assert_array_equal(
        edited["encoder.rnn.0.forward.hidden"], whole["encoder.rnn.0.forward.hidden"]
    )


def test_an_edit_without_a_step_is_of_every_step(rnn, whole):
    edited = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(STATE, (None, 0))])
    assert (edited[STATE][:, 0] == 0).all()
    everything = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(STATE)])
    assert (everything[STATE] == 0).all()


def test_a_step_may_be_counted_from_the_end(rnn, whole):
    edited = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(STATE, (-1,))])
    n = len(whole.ids)
    assert changed_rows(whole, edited, "logits") == [at == n - 1 for at in range(n)]


def test_an_edit_is_what_the_rest_is_computed_from(rnn, whole):
    """The same by hand: the model begins anew from the edited state."""
    at, (source, target) = 2, (torch.tensor([s.ids]) for s in whole.streams.values())
    edited = trace_run(rnn, SOURCE, target=TARGET, edits=[Edit(STATE, (at,), 0.25)])
    decoder = rnn.model.begin(source)
    decoder.push(target[:, : at + 1])
    decoder.h = torch.full_like(decoder.h, 0.25)
    after = decoder.push(target[:, at + 1 :])
    np.testing.assert_allclose(edited["logits"][at + 1 :], after[0].float().numpy(), atol=1e-6)


def test_an_edit_in_a_batch_is_each_rows_own(rnn):
    rows = (SourceTarget("a", TARGET), SourceTarget(SOURCE, "the dog told a story"))
    edits = [Edit(STATE, (1,), 0.5), Edit(f"{CROSS}.k", (0,), "zero")]
    for trace, row in zip(trace_run(rnn, Batch(rows), edits=edits), rows, strict=True):
        same(trace, trace_run(rnn, row, edits=edits))


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (Edit(STATE, (99,)), "axis 0 has"),
        (Edit(STATE, (0, 8)), "axis 1 has 8 entries"),
        (Edit(STATE, (0, 0, 0)), "the site has 2 axes"),
        (Edit(STATE, (99, 8)), "axis 0 has"),
        (Edit(STATE, (1.5,)), "axis 0 has index 1.5; it must be a whole number"),
        (Edit(STATE, (), "mean"), "later positions are not computed yet"),
        (Edit(STATE, (), "much"), "'much' is not 'zero', 'mean' or a number"),
        (Edit("decoder.rnn.1.forward.hidden"), "this model has no such site"),
    ],
)
def test_an_edit_of_a_step_that_does_not_fit_is_an_error(rnn, edit, problem):
    with pytest.raises(EditError, match=problem):
        trace_run(rnn, SOURCE, target=TARGET, edits=[edit])


# --- writing ------------------------------------------------------------------------


def test_written_step_by_step_is_as_all_at_once(rnn):
    source, ids = some_ids(6, 2), some_ids(7, 2)
    decoder = rnn.model.begin(source)
    kept = decoder.nbytes
    for at, n in ((0, 3), (3, 1), (4, 3)):
        logits = decoder.push(ids[:, at : at + n])
        close(logits, rnn.model(source, ids[:, : at + n])[:, -n:])
        assert (decoder.length, decoder.room) == (at + n, 32 - at - n)
    assert decoder.nbytes == kept  # a state does not grow


def test_forks_go_on_by_themselves(rnn):
    source, start, more = some_ids(6), some_ids(3), some_ids(2, 2)
    decoder = rnn.model.begin(source)
    decoder.push(start)
    fork = decoder.fork([0, 0], 2)
    logits = fork.push(more)
    for row in range(2):
        written = torch.cat([start, more[row : row + 1]], dim=1)
        close(logits[row], rnn.model(source, written)[0, 3:])
    assert (decoder.length, fork.length, fork.room) == (3, 5, 0)
    with pytest.raises(InputTooLongError):
        fork.push(more)


def test_generation_is_the_argmax_of_full_runs(rnn):
    source, ids = some_ids(6), [2]
    for step in stream(rnn.model.begin(source), ids, max_new=10, sampling=GREEDY):
        logits = rnn.model(source, torch.tensor([ids]))[0, -1]
        close(step.logits, logits)
        assert step.token == int(logits.argmax())
        ids.append(step.token)
    assert len(ids) == 11


def test_sampling_is_what_drawing_from_full_runs_gives(rnn):
    sampling = Sampling(1.3, 40, 0.9, repetition=1.2, seed=7)
    generator, source, ids = torch.Generator().manual_seed(7), some_ids(6), [2]
    for step in stream(rnn.model.begin(source), ids, max_new=10, sampling=sampling):
        expected = filtered(rnn.model(source, torch.tensor([ids]))[0, -1], ids, sampling)
        torch.testing.assert_close(step.filtered.after_top_p, expected.after_top_p)
        assert step.token == draw(expected.after_top_p, generator)
        ids.append(step.token)
    assert len(ids) == 11


def test_a_step_can_be_watched(rnn):
    decoder, tap = rnn.model.begin(some_ids(6)), Recorder()
    decoder.push(some_ids(3))
    decoder.push(torch.tensor([[7]]), tap)
    assert tap.values[STATE].shape == (1, 1, 8)
    assert tap.values[f"{CROSS}.weights"].shape == (1, 1, 6)
    assert isinstance(rnn.model.decoder, Writer)
    assert NO_TAP("hidden", tap.values[STATE], 3) is not None


# --- asked for and kept -------------------------------------------------------------


@pytest.fixture
def runs(rnn) -> Runs:
    return Runs(load=lambda name, device: rnn)


def test_a_request_gives_the_run(runs, rnn):
    given = SourceTarget(SOURCE, TARGET)
    run = runs.get(TraceRequest("rnn", given))
    same(run.trace, trace_run(rnn, given))
    assert (run.text, run.cut) == (SOURCE, "")
    assert runs.get(TraceRequest("rnn", given)) is run
    roles = runs.get(TraceRequest("rnn", given, sites=("@logits", "@output"))).trace
    assert list(roles) == [STATE, "logits"]
    edits = (Edit(STATE, (1,)),)
    edited = runs.get(TraceRequest("rnn", given, edits=edits)).trace
    same(edited, trace_run(rnn, given, edits=edits))


def test_sides_that_are_too_long_are_cut(runs):
    long = "The cat sat on the mat. " * 9
    run = runs.get(TraceRequest("rnn", SourceTarget(long, long)))
    assert [len(stream.tokens) for stream in run.trace.streams.values()] == [32, 32]
    assert run.text + run.cut[: len(long) - len(run.text)] == long
    assert run.cut


def test_masks_of_one_text_for_another_are_refused(runs):
    given = SourceTarget(SOURCE, TARGET)
    for spec in (MaskSpec("causal"), MaskSpec("prefix", 2), MaskSpec("window", 2)):
        with pytest.raises(ParameterError, match="own, none, padding or painted"):
            runs.get(TraceRequest("rnn", given, spec))
    painted = MaskSpec.painted(np.eye(3, dtype=bool))
    for spec in (MaskSpec("none"), MaskSpec("padding"), painted):
        assert runs.get(TraceRequest("rnn", given, spec)).trace.mask.shape == (6, 9)
    mask = runs.get(TraceRequest("rnn", given, painted)).trace.mask
    assert (mask[:3, :3] == np.eye(3, dtype=bool)).all()
    assert mask[3:].all()


def test_what_it_does_not_do_is_an_error(runs):
    with pytest.raises(AbilityError, match="cannot read its input in another order"):
        runs.get(TraceRequest("rnn", Shuffled(Text(SOURCE), 1)))
    with pytest.raises(AbilityError, match="cannot predict the next token"):
        runs.get(GenerateRequest("rnn", SOURCE, 3, GREEDY))


def test_it_is_stored_and_loaded_by_its_line_in_the_registry(rnn, wordpiece, tmp_path, monkeypatch):
    monkeypatch.setitem(ARCHITECTURES, "rnn", Architecture(RNNConfig, RNN))
    native.save(tmp_path / "rnn", "rnn", rnn.model, Encoders(wordpiece), dtype=torch.float32)
    assert zoo.shelf(tmp_path) == ("rnn",)
    assert zoo.describe("rnn", tmp_path)["n_layers"] == 2
    found = zoo.load("rnn", "cpu", tmp_path)
    assert found.config == rnn.config
    assert found.fingerprint == loaded(tiny_rnn(vocab_size=97), wordpiece).fingerprint
    mine, theirs = (trace_run(one, SOURCE, target=TARGET) for one in (found, rnn))
    np.testing.assert_allclose(mine["logits"], theirs["logits"], atol=1e-5)
