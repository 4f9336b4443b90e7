"""The loop: it learns, it can be stopped and resumed bit for bit, and it keeps to the clock."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from core.errors import DeviceUnavailableError, ParameterError
from core.models.bert import BERT
from core.models.gpt import GPT
from core.training import loop
from core.training.__main__ import _objective
from core.training.batches import SegmentRows, TokenRows, segment_rows
from core.training.cards import run_facts
from core.training.data import TokenStream
from core.training.loop import LOG_FILE, STATE_FILE, Settings, Trainer, own_device
from core.training.objectives import Vocabulary
from core.training.recipes import RECIPES

CPU = torch.device("cpu")
GPT_TINY, BERT_TINY = RECIPES["gpt", "tiny"], RECIPES["bert", "tiny"]


def token_rows(n: int = 60) -> TokenRows:
    """Rows with a pattern that can be learnt: counting up, modulo 50."""
    rng = np.random.default_rng(0)
    starts = rng.integers(0, 50, (n, 1))
    rows = ((starts + np.arange(33)) % 50 + 1).astype(np.uint16)
    return TokenRows({"a": rows[: n // 2], "b": rows[n // 2 :]}, [2, 1], seed=0)


def segment_batches() -> SegmentRows:
    ids = ((np.arange(3000) % 40) + 10).astype(np.uint16)
    ends = np.arange(512) == 20
    rows = segment_rows(
        TokenStream(ids, np.arange(0, 3001, 300)),
        32,
        cls_id=1,
        sep_id=2,
        ends_sentence=ends,
        seed=0,
    )
    special = np.arange(512) < 5
    vocabulary = Vocabulary(mask_id=3, continues=np.zeros(512, bool), special=special)
    return SegmentRows({"a": rows}, [1.0], vocabulary, seed=0, mask_rate=0.15)


def trainer(out: Path, recipe=GPT_TINY, *, validation=False, said=None, **settings) -> Trainer:
    is_gpt = recipe.model == "gpt"
    generator = torch.Generator().manual_seed(7)
    batches = token_rows() if is_gpt else segment_batches()
    return Trainer(
        recipe,
        (GPT if is_gpt else BERT)(recipe.config, generator),
        _objective(recipe),
        batches,
        batches if validation else None,
        Settings(
            **{"out": out, "seed": 7, "minutes": 1.0, "steps": 8, "device": CPU,
               "compile": False, "bf16": False} | settings
        ),
        report=(said if said is not None else []).append,
    )  # fmt: skip


def log_of(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / LOG_FILE).read_text().splitlines()]


def weights(of: Trainer) -> dict[str, torch.Tensor]:
    return of.model.state_dict()


def same(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return all(a[name].equal(b[name]) for name in a)


# --- learning ------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", [GPT_TINY, BERT_TINY], ids=["gpt", "bert"])
def test_it_learns_a_pattern(recipe, tmp_path):
    steady = dataclasses.replace(recipe, ramp=())
    run = trainer(tmp_path, steady, steps=60)
    before = run.eager(*run.batches.batch(0, 8)).detach()
    progress = run.run()
    after = run.eager(*run.batches.batch(0, 8)).detach()
    assert progress.step == 60
    assert after[0] < before[0] - 1.0
    assert progress.losses[0] < before[0]


def test_a_run_is_made_again_from_its_seed(tmp_path):
    one, two = trainer(tmp_path / "1"), trainer(tmp_path / "2")
    one.run()
    torch.rand(5)  # whatever the global state
    two.run()
    assert same(weights(one), weights(two))


def test_parts_of_a_step_add_up_to_the_step(tmp_path):
    """Two parts of four rows give the gradient of eight rows at once."""
    parts = trainer(tmp_path / "1")
    whole = trainer(tmp_path / "2", dataclasses.replace(GPT_TINY, micro_rows=8))
    losses = [run.step(0, 8, 1.0)[0] for run in (parts, whole)]
    torch.testing.assert_close(*losses)
    for name, tensor in weights(parts).items():
        if "blocks." not in name or tensor.ndim == 1:  # Muon rounds to bfloat16 on its way
            torch.testing.assert_close(tensor, weights(whole)[name], atol=1e-5, rtol=1e-4)


def test_the_gradient_is_clipped(tmp_path):
    tight = dataclasses.replace(
        GPT_TINY, optimiser=dataclasses.replace(GPT_TINY.optimiser, clip=1e-3)
    )
    run = trainer(tmp_path, tight)
    seen = []
    run.optimisers[0].register_step_pre_hook(
        lambda *_: seen.append(sum(float(p.grad.square().sum()) for p in run.model.parameters()))
    )
    _, norm = run.step(0, 8, 1.0)
    assert norm > 1e-2  # before clipping, as the log says it
    assert math.sqrt(seen[0]) == pytest.approx(1e-3, rel=1e-3)


def test_losses_count_what_the_recipe_says_from_a_row_on(tmp_path):
    run = trainer(tmp_path, dataclasses.replace(BERT_TINY, loss_weights=((8, (1.0, 0.0)),)))
    run.step(8, 8, 1.0)
    assert (run.model.nsp.bias == 0).all()
    run.step(0, 8, 1.0)
    assert (run.model.nsp.bias != 0).all()


def test_a_share_of_0_moves_nothing(tmp_path):
    run = trainer(tmp_path)
    before = {name: tensor.clone() for name, tensor in weights(run).items()}
    run.step(0, 8, 0.0)
    assert same(weights(run), before)


def test_the_ramp_makes_steps_larger(tmp_path):
    run = trainer(tmp_path, steps=8)  # from half of the run twice the rows
    progress = run.run()
    assert progress.places == 4 * 8 + 4 * 16


# --- the log -------------------------------------------------------------------------


def test_the_log_is_json_lines(tmp_path):
    said: list[str] = []
    run = trainer(tmp_path, steps=45, validation=True, said=said)
    run.run()
    start, *records = log_of(tmp_path)
    assert start == {
        "event": "start", "steps": 45, "probe_tokens_per_s": 0, "seed": 7, "minutes": 1.0,
        "processes": 1, "threads": None, "after": None, "teachers": [],
        "parameters": sum(p.numel() for p in run.model.parameters()),
    }  # fmt: skip
    steps = [record for record in records if "tokens" in record]
    assert [record["step"] for record in steps] == [20, 40, 45]
    assert steps[0]["tokens"] == 20 * 8 * 32
    assert steps[-1]["tokens"] == (23 * 8 + 22 * 16) * 32
    for record in steps:
        assert record["tokens_per_s"] > 0
        assert record["losses"][0] > 0
        assert 0 < record["lr_share"] <= 1
    held_out = [record["held_out"] for record in records if "held_out" in record]
    assert held_out[-1].keys() == {"a", "b"}
    assert held_out[-1]["a"][0] < held_out[0]["a"][0]
    assert any(re.match(r"step 45/45 +losses \d.* tokens/s +0 min left", line) for line in said)


def test_validation_is_on_the_same_rows_every_time_and_changes_nothing(tmp_path):
    run = trainer(tmp_path, validation=True)
    before = {name: tensor.clone() for name, tensor in weights(run).items()}
    assert run.validate() == run.validate()
    assert same(weights(run), before)
    assert all(p.grad is None for p in run.model.parameters())


# --- stopping and resuming -----------------------------------------------------------


class PowerCut(Exception):
    """What ends a run half-way."""


def cut_after(run: Trainer, n: int) -> None:
    """Let the run do ``n`` steps, with a checkpoint after each, and then break off."""
    step, done = run.step, []

    def counting(*args):
        if len(done) == n:
            raise PowerCut
        done.append(1)
        return step(*args)

    run.step = counting
    with pytest.raises(PowerCut):
        run.run()


@pytest.mark.parametrize("recipe", [GPT_TINY, BERT_TINY], ids=["gpt", "bert"])
def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit(recipe, tmp_path, monkeypatch):
    whole = trainer(tmp_path / "whole", recipe, steps=10)
    whole.run()
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path / "cut", recipe, steps=10), 5)
    resumed = trainer(tmp_path / "cut", recipe, steps=10, resume=True)
    for p in resumed.model.parameters():
        torch.nn.init.zeros_(p)  # everything has to come from the checkpoint
    progress = resumed.run()
    assert progress.step == 10
    assert same(weights(resumed), weights(whole))
    states = [torch.load(tmp_path / name / STATE_FILE) for name in ("whole", "cut")]
    moments = [state["optimisers"][0]["state"][0]["exp_avg"] for state in states]
    assert moments[0].equal(moments[1])
    assert states[0]["progress"]["losses"] == states[1]["progress"]["losses"]


def test_a_run_begun_on_a_gpu_goes_on_without_one(tmp_path, monkeypatch, say_it_was_on_a_gpu):
    whole = trainer(tmp_path / "whole")
    whole.run()
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path / "cut"), 3)
    say_it_was_on_a_gpu(tmp_path / "cut" / STATE_FILE)
    resumed = trainer(tmp_path / "cut", resume=True)
    resumed.run()
    assert same(weights(resumed), weights(whole))


def test_time_spent_before_the_cut_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path), 3)
    state = torch.load(tmp_path / STATE_FILE)
    state["progress"]["seconds"] = 1000.0
    torch.save(state, tmp_path / STATE_FILE)
    assert trainer(tmp_path, resume=True).run().seconds > 1000


def test_resuming_needs_a_checkpoint_of_the_same_seed(tmp_path):
    with pytest.raises(ParameterError, match=r"resume is .*; it must be a run that has written"):
        trainer(tmp_path, resume=True).run()
    trainer(tmp_path).run()
    with pytest.raises(ParameterError, match="seed is 8; it must be 7, as the run began"):
        trainer(tmp_path, seed=8, resume=True).run()


def test_a_checkpoint_is_replaced_as_a_whole(tmp_path, monkeypatch):
    run = trainer(tmp_path)
    progress = run.run()
    before = (tmp_path / STATE_FILE).read_bytes()

    def full(_state, path):
        Path(path).write_bytes(b"half of it")
        raise OSError("no space left on device")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OSError, match="no space"):
        run.save(progress)
    assert (tmp_path / STATE_FILE).read_bytes() == before


# --- the clock -----------------------------------------------------------------------


class Clock:
    """A clock that only steps of training move."""

    def __init__(self, monkeypatch, seconds_a_step) -> None:
        self.now = 0.0
        self.seconds_a_step = seconds_a_step
        monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: self.now))

    def drive(self, run: Trainer, *, trains: bool = True) -> Trainer:
        """Make each step take its time by this clock; without ``trains`` it does nothing else."""
        step = run.step

        def timed(places, rows, share):
            self.now += self.seconds_a_step(self.now, rows)
            return step(places, rows, share) if trains else (torch.zeros(1), 0.0)

        run.step = timed
        return run


def test_the_probe_makes_a_budget_a_number_of_steps_and_leaves_no_trace(tmp_path, monkeypatch):
    """One second a step; the ramp doubles the second half, so a run of n steps takes 1.5 n."""
    clock = Clock(monkeypatch, lambda now, rows: 1.0)
    run = clock.drive(trainer(tmp_path, steps=None, minutes=0.5))
    run.rows_at = lambda step, n_steps: 8  # the clock does not know of larger steps
    before = {name: tensor.clone() for name, tensor in weights(run).items()}
    progress = run._fresh()
    assert progress.schedule.n_steps == 20
    assert progress.probe == pytest.approx(8 * 32)
    assert log_of(tmp_path)[0]["probe_tokens_per_s"] == 256
    assert same(weights(run), before)
    assert all(not optimiser.state for optimiser in run.optimisers)


def test_a_run_with_its_steps_given_is_the_run_that_the_probe_began(tmp_path, monkeypatch):
    clock = Clock(monkeypatch, lambda now, rows: 1.0)
    probed = clock.drive(trainer(tmp_path / "1", steps=None, minutes=0.5))
    n = probed.run().step
    again = clock.drive(trainer(tmp_path / "2", steps=n))
    again.run()
    assert same(weights(probed), weights(again))


def test_a_slow_machine_cools_down_early_rather_than_lose_the_run(tmp_path, monkeypatch):
    """Fast in the probe, three times as slow later: the fall still ends at the floor, in time."""
    clock = Clock(monkeypatch, lambda now, rows: 0.25 if now < 65 else 0.75)
    run = clock.drive(trainer(tmp_path, steps=None, minutes=1.0), trains=False)
    progress = run.run()
    planned = log_of(tmp_path)[0]["steps"]
    (early,) = [record for record in log_of(tmp_path) if record.get("event") == "early cool-down"]
    assert early["step"] < run.recipe.optimiser.cooldown * planned
    assert progress.step == early["step"] + early["steps_left"] < planned
    assert progress.seconds <= 60 + 0.75
    assert progress.schedule.share(progress.step - 1) == pytest.approx(run.recipe.optimiser.floor)


def test_a_run_that_the_clock_cut_short_is_made_again_bit_for_bit(tmp_path, monkeypatch):
    """The plan is part of it: by its length the batch grew before the cut."""
    late = dataclasses.replace(GPT_TINY, ramp=((0.1, 2),))
    clock = Clock(monkeypatch, lambda now, rows: 2.0 if now < 70 else 0.3 * rows)
    cut = clock.drive(trainer(tmp_path / "cut", late, steps=None, minutes=2.0))
    cut.run()
    start, *_ = log_of(tmp_path / "cut")
    (early,) = [r for r in log_of(tmp_path / "cut") if r.get("event") == "early cool-down"]
    plan, at, count = start["steps"], early["step"], early["steps_left"]
    assert 0 < at < plan - count

    asked = {"steps": plan, "cool_down_at": ((at, count),)}
    again = clock.drive(trainer(tmp_path / "again", late, **asked))
    progress = again.run()
    assert progress.step == at + count
    assert same(weights(again), weights(cut))
    assert early in log_of(tmp_path / "again")  # so its own card says how to make it a third time
    plain = clock.drive(trainer(tmp_path / "plain", late, steps=at + count))
    plain.run()
    assert not same(weights(plain), weights(cut))


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_a_cool_down_that_was_asked_for_survives_a_cut(n, tmp_path, monkeypatch):
    """Before, at and after the steps where it begins and is bent."""
    asked = {"steps": 12, "cool_down_at": ((4, 3), (5, 4))}
    whole = trainer(tmp_path / "whole", **asked)
    assert whole.run().step == 9
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path / "cut", **asked), n)
    resumed = trainer(tmp_path / "cut", **asked, resume=True)
    assert resumed.run().step == 9
    assert same(weights(resumed), weights(whole))


@pytest.mark.parametrize("asked", [(0, 3), (12, 3), (4, 0), (-1, 1)])
def test_a_cool_down_lies_within_the_run(asked, tmp_path):
    with pytest.raises(ParameterError, match=r"cool_down_at is .*; it must be a step from 1 to 11"):
        trainer(tmp_path, steps=12, cool_down_at=(asked,)).run()
    with pytest.raises(ParameterError, match=r"cool_down_at is .*; it must be a step from 1 to 6"):
        trainer(tmp_path, steps=12, cool_down_at=((4, 3), (7, 3))).run()
    assert not (tmp_path / LOG_FILE).exists()  # an earlier run's would still be there


def test_a_cool_down_is_asked_for_in_time_and_with_the_plan(tmp_path):
    with pytest.raises(ParameterError, match="it must be given together with steps"):
        trainer(tmp_path, steps=None, cool_down_at=((4, 3),))
    trainer(tmp_path, steps=12).run()
    with pytest.raises(ParameterError, match="it must be after step 12, where the run stands"):
        trainer(tmp_path, steps=12, cool_down_at=((4, 3),), resume=True).run()


def test_larger_steps_at_the_end_are_counted_with(tmp_path, monkeypatch):
    """The second half's steps take twice as long: the pace is judged by the row."""
    clock = Clock(monkeypatch, lambda now, rows: rows * (0.02 if now < 62 else 0.03))
    run = clock.drive(trainer(tmp_path, steps=None, minutes=1.0), trains=False)
    progress = run.run()
    assert progress.seconds <= 60 + 0.5
    assert progress.schedule.share(progress.step - 1) == pytest.approx(run.recipe.optimiser.floor)


def test_one_slow_step_ends_no_run(tmp_path, monkeypatch):
    """The first step after a resumption compiles; that is no reason to cool down."""
    clock = Clock(monkeypatch, lambda now, rows: 10.0 if 65 < now < 66 else 0.25)
    run = clock.drive(trainer(tmp_path, steps=None, minutes=2.0), trains=False)
    run.run()
    (early,) = [r for r in log_of(tmp_path) if r.get("event") == "early cool-down"]
    assert early["step"] > 100


def bends(out: Path) -> list[tuple[int, int]]:
    """The bends of a run, as its log says them."""
    return [
        (line["step"], line["steps_left"])
        for line in log_of(out)
        if line.get("event") == "early cool-down"
    ]


def shares_of(run: Trainer) -> list[float]:
    """The share of the peak rate of each step of a run on the clock, which this carries out."""
    step, shares = run.step, []
    run.step = lambda places, rows, share: shares.append(share) or step(places, rows, share)
    run.run()
    return [share for share in shares if share > 0]  # the probe's are 0


def on_the_clock(recipe=GPT_TINY, *, cooldown=0.9, ramp=()):
    optimiser = dataclasses.replace(recipe.optimiser, cooldown=cooldown)
    return dataclasses.replace(recipe, ramp=ramp, optimiser=optimiser)


SCHEDULES = pytest.mark.parametrize(
    ("cooldown", "ramp"), [(0.45, ()), (0.9, ()), (0.45, ((0.5, 2),)), (0.9, ((0.5, 2),))]
)
PROBED = 60.5  # seconds that a probe of quarters of a second takes by the clock


@SCHEDULES
@pytest.mark.parametrize("begin", [0, 4, 15, 30, 50, 57])
def test_a_run_ends_in_time_whenever_its_machine_becomes_slow(
    begin, cooldown, ramp, tmp_path, monkeypatch
):
    """Three times as slow from the start, in the level part, inside the fall and near its end."""

    def seconds(now: float, rows: int) -> float:
        return rows / 8 * (0.25 if now < PROBED + begin else 0.75)

    clock = Clock(monkeypatch, seconds)
    recipe = on_the_clock(cooldown=cooldown, ramp=ramp)
    run = clock.drive(trainer(tmp_path, recipe, steps=None, minutes=1.0), trains=False)
    shares = shares_of(run)
    near_the_end = begin == 57  # one step is slow before it is known
    assert 55 < clock.now - PROBED <= 60 + near_the_end * 1.5
    assert len(shares) < log_of(tmp_path)[0]["steps"]
    # Up, level, down to the floor, never up again, in few bends.
    assert shares[-1] == pytest.approx(recipe.optimiser.floor)
    top = shares.index(1.0)
    assert shares[top:] == sorted(shares[top:], reverse=True)
    assert 1 <= len(bends(tmp_path)) <= 5
    at, count = bends(tmp_path)[-1]
    assert at + count == len(shares)


@SCHEDULES
def test_a_run_at_the_probes_pace_is_not_bent(cooldown, ramp, tmp_path, monkeypatch):
    clock = Clock(monkeypatch, lambda now, rows: rows / 32)
    recipe = on_the_clock(cooldown=cooldown, ramp=ramp)
    run = clock.drive(trainer(tmp_path, recipe, steps=None, minutes=1.0), trains=False)
    assert run.run().step == log_of(tmp_path)[0]["steps"]
    assert bends(tmp_path) == []


def test_a_machine_that_is_busy_for_a_while_takes_that_while_and_little_more(tmp_path, monkeypatch):
    """Twenty steps of three times the time are forty lost."""
    clock = Clock(monkeypatch, lambda now, rows: 0.75 if 90 < now < 105 else 0.25)
    run = clock.drive(trainer(tmp_path, on_the_clock(), steps=None, minutes=3.0), trains=False)
    progress = run.run()
    assert log_of(tmp_path)[0]["steps"] - progress.step in range(40, 60)
    assert progress.seconds <= 180


def test_uneven_steps_bend_a_run_now_and_then_only(tmp_path, monkeypatch):
    noise = np.random.default_rng(1)
    clock = Clock(monkeypatch, lambda now, rows: 0.25 * noise.uniform(0.8, 1.2))
    run = clock.drive(trainer(tmp_path, on_the_clock(), steps=None, minutes=3.0), trains=False)
    assert 160 < run.run().seconds <= 180 + 0.3
    assert len(bends(tmp_path)) <= 6


def test_during_the_rise_a_fall_waits_unless_the_rise_would_take_too_long(tmp_path, monkeypatch):
    optimiser = dataclasses.replace(GPT_TINY.optimiser, warmup=0.2, cooldown=0.8)
    slow_rise = dataclasses.replace(GPT_TINY, ramp=(), optimiser=optimiser)
    for name, pace, waits in (("slow", 0.5, True), ("slower", 10.0, False)):
        clock = Clock(monkeypatch, lambda now, rows, pace=pace: 0.25 if now < PROBED else pace)
        run = clock.drive(
            trainer(tmp_path / name, slow_rise, steps=None, minutes=1.0), trains=False
        )
        progress = run.run()
        n_warmup = round(0.2 * log_of(tmp_path / name)[0]["steps"])
        assert (bends(tmp_path / name)[0][0] >= n_warmup) == waits
        assert progress.seconds <= 60


@pytest.mark.parametrize("n", [9, 14, 20, 26])
def test_a_run_that_was_cut_and_bent_by_the_clock_is_made_again_bit_for_bit(
    n, tmp_path, monkeypatch
):
    """Its card's command knows of every bend but those that were lost with the power."""
    ramp = ((0.3, 2),)
    out = tmp_path / "run"

    def seconds(now: float, rows: int) -> float:
        return rows / 8 * (1.0 if now < 70 else 1.5 if now < 100 else 3.0)

    clock = Clock(monkeypatch, seconds)
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", 5.0)
    recipe = on_the_clock(ramp=ramp)
    cut_after(clock.drive(trainer(out, recipe, steps=None, minutes=2.0)), 62 + n)
    resumed = clock.drive(trainer(out, recipe, steps=None, minutes=2.0, resume=True))
    progress = resumed.run()
    assert progress.seconds <= 120
    assert progress.schedule.share(progress.step - 1) == pytest.approx(recipe.optimiser.floor)

    facts = run_facts(out)
    assert facts["cool_downs"] == progress.cool_downs
    assert len(progress.cool_downs) > 1
    asked = {"steps": facts["planned_steps"], "cool_down_at": tuple(facts["cool_downs"])}
    again = clock.drive(trainer(tmp_path / "again", recipe, **asked))
    assert again.run().step == progress.step
    assert same(weights(again), weights(resumed))


def test_a_run_whose_steps_were_given_goes_on_with_them_whatever_the_clock(tmp_path, monkeypatch):
    clock = Clock(monkeypatch, lambda now, rows: 100.0)
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(clock.drive(trainer(tmp_path, steps=40, minutes=0.1), trains=False), 3)
    resumed = trainer(tmp_path, steps=None, minutes=0.1, resume=True)
    assert clock.drive(resumed, trains=False).run().step == 40
    assert bends(tmp_path) == []


def test_steps_that_were_given_are_done_whatever_the_clock(tmp_path, monkeypatch):
    clock = Clock(monkeypatch, lambda now, rows: 100.0)
    run = clock.drive(trainer(tmp_path, steps=6, minutes=0.1), trains=False)
    assert run.run().step == 6


def test_processes_must_share_the_rows_evenly(tmp_path, monkeypatch):
    monkeypatch.setattr(loop.Team, "join", lambda device: loop.Team(0, 3))
    with pytest.raises(ParameterError, match="processes is 3; it must be a divisor of 2"):
        trainer(tmp_path)


def test_each_process_has_a_gpu_of_its_own(monkeypatch):
    cuda, chosen = torch.device("cuda"), []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", chosen.append)
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert own_device(cuda) == cuda
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert own_device(CPU) == CPU
    assert chosen == []
    assert own_device(cuda) == torch.device("cuda:1")
    assert chosen == [torch.device("cuda:1")]
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(DeviceUnavailableError, match="'cuda:2' is not available here; choose one"):
        own_device(cuda)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_compiled_and_in_bfloat16_it_learns_as_well(tmp_path):
    said: list[str] = []
    recipe = dataclasses.replace(GPT_TINY, ramp=())
    plain = trainer(tmp_path / "1", recipe, steps=60).run()
    fast = trainer(tmp_path / "2", recipe, steps=60, compile=True, bf16=True, said=said).run()
    assert fast.losses[0] == pytest.approx(plain.losses[0], rel=0.1)
