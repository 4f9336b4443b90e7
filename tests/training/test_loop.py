"""The loop: it learns, it can be stopped and resumed bit for bit, and it keeps to the clock."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from core import zoo
from core.encoders import Encoders
from core.errors import CheckpointError, DeviceUnavailableError, ParameterError
from core.live_training.schedules import Fall
from core.models.registry import ARCHITECTURES
from core.text.tokenizer import Tokenizer
from core.training import loop, team
from core.training.loop import Trainer
from core.training.progress import RunSettings
from core.training.recipe import Recipe
from core.training.recipes import RECIPES
from core.training.rundir import LOG_FILE, MODEL, STATE_FILE
from core.training.tasks.task import Corpora
from core.training.team import own_device

CPU = torch.device("cpu")
NAMES = ("gpt", "bert", "transformer")
LOSSES = {
    "gpt": {"next_token"},
    "bert": {"masked_words", "next_sentence"},
    "transformer": {"translation"},
}


def recipe_of(name: str, **changes) -> Recipe:
    return dataclasses.replace(RECIPES[name, "tiny"], **changes)


@pytest.fixture(scope="module")
def tokenizers(corpora_directory) -> dict[str, Tokenizer]:
    return {name: recipe_of(name).task.make_tokenizer(corpora_directory, 512) for name in NAMES}


@pytest.fixture
def trainer(corpora_directory, tokenizers, tmp_path_factory):
    """Makes a run of a tiny recipe."""
    cache = tmp_path_factory.mktemp("cache")

    def make(out: Path, recipe: Recipe | str = "gpt", *, said=None, seed=7, **settings) -> Trainer:
        recipe = recipe_of(recipe) if isinstance(recipe, str) else recipe
        generator = torch.Generator().manual_seed(seed)
        usual = {"minutes": 1.0, "device": CPU, "compile": False, "bf16": False}
        if not (settings.get("resume") or "falls" in settings or settings.get("minutes")):
            usual["steps"] = 8
        return Trainer(
            recipe,
            ARCHITECTURES[recipe.architecture].model(recipe.network, generator),
            Corpora(corpora_directory, cache, Encoders(tokenizers[recipe.id]), seed),
            RunSettings(out=out, **usual | settings),
            report=(said if said is not None else []).append,
        )

    return make


def log_of(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / LOG_FILE).read_text().splitlines()]


def weights(of: Trainer) -> dict[str, torch.Tensor]:
    return {name: w.clone() for name, w in of.model.state_dict().items()}


def same(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return all(a[name].equal(b[name]) for name in a)


def one_step(run: Trainer, *, phase="stable", **progress) -> tuple[float, loop.Progress]:
    """A step of a run, and where it stands after it."""
    stands = dataclasses.replace(run._fresh(), phase=phase, **progress)
    return run.step(run._batches(stands), stands), stands


# --- learning ------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_it_learns(name, trainer, tmp_path):
    run = trainer(tmp_path, name, steps=60)
    run.run()
    first, last = (line["losses"] for line in (log_of(tmp_path)[0], log_of(tmp_path)[-2]))
    assert first.keys() == last.keys() == LOSSES[name]
    assert sum(last.values()) < sum(first.values()) - 0.3


def test_a_run_is_made_again_from_its_seed(trainer, tmp_path):
    one, two, other = trainer(tmp_path / "1"), trainer(tmp_path / "2"), trainer(tmp_path, seed=8)
    for run in (one, two, other):
        torch.rand(5)  # whatever the global state
        run.run()
    assert same(weights(one), weights(two))
    assert not same(weights(one), weights(other))


def test_parts_of_a_step_add_up_to_the_step(trainer, tmp_path):
    """Two parts of eight rows give the gradient of sixteen rows at once."""
    task = recipe_of("gpt").task
    parts = trainer(tmp_path, recipe_of("gpt", batches={"stable": 2, "cool-down": 2}))
    once = {"stable": 1, "cool-down": 1}
    whole = trainer(
        tmp_path, recipe_of("gpt", task=dataclasses.replace(task, tokens=256), batches=once)
    )
    stand = [one_step(run, step=50)[1] for run in (parts, whole)]
    assert stand[0].losses == pytest.approx(stand[1].losses)
    assert [p.read for p in stand] == [256, 256]
    assert [p.batches for p in stand] == [2, 1]
    for name, tensor in weights(parts).items():
        if "blocks." not in name or tensor.ndim == 1:  # Muon rounds to bfloat16 on its way
            torch.testing.assert_close(tensor, weights(whole)[name], atol=1e-5, rtol=1e-4)


def test_the_gradient_is_clipped(trainer, tmp_path):
    optimiser = dataclasses.replace(recipe_of("gpt").optimiser, clip=1e-3)
    run = trainer(tmp_path, recipe_of("gpt", optimiser=optimiser))
    seen = []
    run.optimisers[0].register_step_pre_hook(
        lambda *_: seen.append(sum(float(p.grad.square().sum()) for p in run.model.parameters()))
    )
    norm, _ = one_step(run)
    assert norm > 1e-2  # before clipping, as the log says it
    assert math.sqrt(seen[0]) == pytest.approx(1e-3, rel=1e-3)


def test_the_rate_is_the_schedules_share_of_the_peak(trainer, tmp_path):
    run = trainer(tmp_path, steps=40)
    for step, share in ((0, 0.2), (10, 1.0), (39, 0.03)):
        one_step(run, step=step)
        (rate,) = {g["lr"] for optimiser in run.optimisers for g in optimiser.param_groups}
        assert rate == pytest.approx(5e-3 * share)


def test_a_run_from_the_shelf_has_a_schedule_of_its_own(trainer, tmp_path):
    run = trainer(tmp_path, steps=40, from_shelf=True)
    one_step(run, step=39)
    again = run.recipe.again
    (rate,) = {g["lr"] for optimiser in run.optimisers for g in optimiser.param_groups}
    assert rate == pytest.approx(5e-3 * again.peak * again.floor)
    assert run._fresh().rates.falls == (Fall(4, 36),)


def test_the_cool_down_reads_its_own_mix_in_larger_steps(trainer, tmp_path):
    run = trainer(tmp_path, steps=8)  # the fall takes 45 %
    seen = []
    step = run.step
    run.step = lambda batches, progress: seen.append(progress.phase) or step(batches, progress)
    progress = run.run()
    assert seen == ["stable"] * 4 + ["cool-down"] * 4
    assert progress.batches == 4 * 4
    assert progress.read == (4 * 2 + 4 * 4) * 128


def test_dropout_is_drawn_anew_for_each_step_and_the_same_in_each_run(trainer, tmp_path):
    drawn = [trainer(tmp_path, "transformer") for _ in range(2)]
    noise = []
    for run in drawn:
        for step in (3, 4):
            one_step(run, step=step)
            noise.append(run.dropout._noise[0].clone())
    assert torch.equal(noise[0], noise[2])
    assert torch.equal(noise[1], noise[3])
    assert not torch.equal(noise[0], noise[1])


# --- what a run leaves ---------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_run_leaves_a_model_that_loads(name, trainer, tmp_path):
    run = trainer(tmp_path, recipe_of(name, average=1))
    run.run()
    left = zoo.load(str(tmp_path / MODEL), "cpu")
    assert left.architecture == name
    for key, weight in run.model.state_dict().items():  # stored in bfloat16
        torch.testing.assert_close(left.model.state_dict()[key], weight, rtol=1e-2, atol=1e-4)


def test_the_model_is_the_mean_of_the_last_checkpoints(trainer, tmp_path):
    """Of three that are two steps apart: after steps 4, 6 and 8, the last."""
    run = trainer(tmp_path, recipe_of("gpt", average=3, apart=2))
    step, seen = run.step, {}

    def keep(batches, progress):
        norm = step(batches, progress)
        seen[progress.step] = weights(run)
        return norm

    run.step = keep
    run.run()
    left = zoo.load(str(tmp_path / MODEL), "cpu").model.state_dict()
    for name, tensor in left.items():
        mean = (seen[4][name] + seen[6][name] + seen[8][name]) / 3
        torch.testing.assert_close(tensor, mean, rtol=1e-2, atol=1e-4)


def test_a_run_that_is_stopped_leaves_a_model_and_can_go_on(trainer, tmp_path):
    whole = trainer(tmp_path / "whole", "transformer")
    whole.run()
    run = trainer(tmp_path / "cut", "transformer")
    step = run.step

    def stop_after_three(batches, progress):
        if progress.step == 2:
            run.stop()
        return step(batches, progress)

    run.step = stop_after_three
    progress = run.run()
    assert progress.step == 3
    assert not progress.done
    left = zoo.load(str(tmp_path / "cut" / MODEL), "cpu").model.state_dict()
    for name, tensor in weights(run).items():
        torch.testing.assert_close(left[name], tensor, rtol=1e-2, atol=1e-4)
    resumed = trainer(tmp_path / "cut", "transformer", resume=True)
    assert resumed.run().done
    assert same(weights(resumed), weights(whole))


# --- the log -------------------------------------------------------------------------


def test_it_says_before_a_source_is_read_too_often(trainer, tmp_path):
    """A model that writes on learns a source by heart; masks keep BERT from it."""
    many = trainer(tmp_path).examples.passes("stable", 1)["tinystories"]
    enough = round(1.5 * loop.MOST_PASSES / many)  # batches, two of which are a step
    for name, steps, warned in (("gpt", enough, True), ("gpt", 20, False), ("bert", enough, False)):
        said: list[str] = []
        out = tmp_path / f"{name}-{steps}"
        out.mkdir()
        run = trainer(out, name, said=said, steps=steps)
        run._warn_of_repeats(dataclasses.replace(run._fresh(), step=20))
        assert [line.startswith("warning: this run would read tinystories") for line in said] == (
            [True] if warned else []
        )


def test_the_log_is_json_lines(trainer, tmp_path):
    said: list[str] = []
    run = trainer(tmp_path, steps=45, said=said)
    run.run()
    records = log_of(tmp_path)
    steps = [record for record in records if "tokens" in record]
    assert [record["step"] for record in steps] == [1, 20, 40, 45]
    assert steps[1]["tokens"] == 20 * 2 * 128
    assert steps[-1]["tokens"] == (25 * 2 + 20 * 4) * 128
    for record in steps:
        assert record["losses"]["next_token"] > 0
        assert 0 < record["rate"] <= 1
    (held_out,) = [record["held_out"] for record in records if "held_out" in record]
    assert held_out.keys() == {"tinystories"}
    assert any(re.match(r"step 45/45  next_token \d", line) for line in said)


def test_validation_changes_nothing(trainer, tmp_path):
    run = trainer(tmp_path)
    before, progress = weights(run), run._fresh()
    run._validate(progress)
    run._validate(progress)
    first, second = log_of(tmp_path)
    assert first == second
    assert same(weights(run), before)
    assert all(p.grad is None for p in run.model.parameters())
    assert run.model.training


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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [3, 7])  # in the stable phase, and in the cool-down
def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit(
    name, n, trainer, tmp_path, monkeypatch
):
    whole = trainer(tmp_path / "whole", name, steps=10)
    whole.run()
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path / "cut", name, steps=10), n)
    resumed = trainer(tmp_path / "cut", name, resume=True)
    for p in resumed.model.parameters():
        torch.nn.init.zeros_(p)  # everything has to come from the checkpoint
    progress = resumed.run()
    assert progress.step == 10
    assert same(weights(resumed), weights(whole))
    states = [torch.load(tmp_path / run / STATE_FILE) for run in ("whole", "cut")]
    moments = [state["optimisers"][0]["state"][0]["exp_avg"] for state in states]
    assert moments[0].equal(moments[1])
    assert states[0]["progress"]["losses"] == states[1]["progress"]["losses"]
    models = [zoo.load(str(tmp_path / run / MODEL), "cpu") for run in ("whole", "cut")]
    assert models[0].fingerprint == models[1].fingerprint


def test_a_run_begun_on_a_gpu_goes_on_without_one(
    trainer, tmp_path, monkeypatch, say_it_was_on_a_gpu
):
    whole = trainer(tmp_path / "whole")
    whole.run()
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path / "cut"), 3)
    say_it_was_on_a_gpu(tmp_path / "cut" / STATE_FILE)
    resumed = trainer(tmp_path / "cut", resume=True)
    resumed.run()
    assert same(weights(resumed), weights(whole))


def test_time_spent_before_the_cut_counts(trainer, tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(trainer(tmp_path), 3)
    state = torch.load(tmp_path / STATE_FILE)
    state["progress"]["seconds"] = 1000.0
    torch.save(state, tmp_path / STATE_FILE)
    assert trainer(tmp_path, resume=True).run().seconds > 1000


def test_resuming_needs_a_checkpoint_of_the_same_run(trainer, tmp_path):
    with pytest.raises(CheckpointError, match="no run has written a checkpoint here"):
        trainer(tmp_path, resume=True).run()
    trainer(tmp_path).run()
    with pytest.raises(ParameterError, match="seed is 8; it must be 7, as the run began"):
        trainer(tmp_path, seed=8, resume=True).run()
    with pytest.raises(ParameterError, match="from_shelf is True; it must be left out: this run b"):
        trainer(tmp_path, from_shelf=True, resume=True).run()
    with pytest.raises(CheckpointError, match="weights of another model: tensor 'embed"):
        trainer(tmp_path, "bert", resume=True).run()
    other = recipe_of("gpt", tier="gpu")
    with pytest.raises(CheckpointError, match="a run of --tier tiny, not of gpu; name its own"):
        trainer(tmp_path, other, resume=True).run()


def test_a_resumed_run_has_its_steps_already(tmp_path):
    for given in ({"steps": 5}, {"falls": (Fall(2, 2),)}):
        with pytest.raises(ParameterError, match="it must be left out with --resume"):
            RunSettings(out=tmp_path, minutes=1, device=CPU, resume=True, **given)
    with pytest.raises(ParameterError, match="it must be left out where steps are given"):
        RunSettings(out=tmp_path, minutes=1, device=CPU, steps=3, falls=(Fall(2, 2),))


@pytest.mark.parametrize("content", [b"", b"half of it", b"PK\x03\x04 half of it"])
def test_a_damaged_checkpoint_is_an_error(content, trainer, tmp_path):
    (tmp_path / STATE_FILE).write_bytes(content)
    with pytest.raises(CheckpointError, match=r"state.pt: damaged, or no checkpoint \("):
        trainer(tmp_path, resume=True).run()
    torch.save({"model": {}}, tmp_path / STATE_FILE)
    with pytest.raises(CheckpointError, match=r"state.pt: not a checkpoint of a training run"):
        trainer(tmp_path, resume=True).run()


def test_a_checkpoint_is_replaced_as_a_whole(trainer, tmp_path, monkeypatch):
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

    def __init__(self, monkeypatch, seconds_a_batch) -> None:
        self.now = 0.0
        self.seconds_a_batch = seconds_a_batch
        monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: self.now))

    def drive(self, run: Trainer) -> Trainer:
        """Make each step take its time by this clock."""
        step = run.step

        def timed(batches, progress):
            n = run.recipe.batches[progress.phase]
            self.now += n * self.seconds_a_batch(self.now)
            return step(batches, progress)

        run.step = timed
        return run


def test_a_run_by_the_clock_falls_in_time_and_its_card_makes_it_again(
    trainer, tmp_path, monkeypatch
):
    """Steps become three times as slow in the middle of the fall."""
    clock = Clock(monkeypatch, lambda now: 0.25 if now < 42 else 0.75)
    run = clock.drive(trainer(tmp_path / "1", minutes=1.0))
    progress = run.run()
    falls = progress.rates.falls
    assert len(falls) > 1
    assert 57 < progress.seconds <= 61
    assert progress.rates.share(progress.step - 1) == pytest.approx(run.schedule.floor)
    cool_downs = [line for line in log_of(tmp_path / "1") if line.get("event") == "cool-down"]
    assert [(line["step"], line["n_steps"]) for line in cool_downs] == [
        (fall.step, fall.n_steps) for fall in falls
    ]
    again = trainer(tmp_path / "2", falls=falls)
    assert again.run().step == progress.step
    assert same(weights(again), weights(run))


def test_a_run_by_the_clock_that_was_cut_ends_in_time(trainer, tmp_path, monkeypatch):
    clock = Clock(monkeypatch, lambda now: 0.5)
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", 5.0)
    cut_after(clock.drive(trainer(tmp_path, minutes=1.0)), 36)
    progress = clock.drive(trainer(tmp_path, minutes=1.0, resume=True)).run()
    assert 57 < progress.seconds <= 62
    assert progress.by_the_clock


@pytest.mark.parametrize("planned", [{"steps": 6}, {"falls": (Fall(3, 3),)}])
def test_what_was_planned_is_done_whatever_the_clock(planned, trainer, tmp_path, monkeypatch):
    clock = Clock(monkeypatch, lambda now: 100.0)
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1.0)
    cut_after(clock.drive(trainer(tmp_path, minutes=0.1, **planned)), 2)
    progress = clock.drive(trainer(tmp_path, minutes=0.1, resume=True)).run()
    assert progress.step == 6
    assert not any("cool-down" in line.get("event", "") for line in log_of(tmp_path))


# --- several processes ---------------------------------------------------------------


def test_processes_must_share_the_batches_evenly(trainer, tmp_path, monkeypatch):
    monkeypatch.setattr(loop.Team, "join", lambda device: loop.Team(0, 3))
    with pytest.raises(ParameterError, match="processes is 3; it must be a divisor of 2"):
        trainer(tmp_path)


def test_each_process_has_a_gpu_of_its_own(monkeypatch):
    cuda, chosen = torch.device("cuda"), []
    monkeypatch.setattr(team.torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(team.torch.cuda, "set_device", chosen.append)
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
def test_compiled_and_in_bfloat16_it_learns_as_well(trainer, tmp_path):
    recipe = recipe_of("gpt", batches={"stable": 2, "cool-down": 2})
    plain = trainer(tmp_path / "1", recipe, steps=60).run()
    fast = trainer(tmp_path / "2", recipe, steps=60, compile=True, bf16=True).run()
    assert fast.losses["next_token"] == pytest.approx(plain.losses["next_token"], rel=0.1)
