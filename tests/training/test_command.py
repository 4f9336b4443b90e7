"""The commands: train, ship, evaluate; and what they say when something is wrong."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from core import zoo
from core.checkpoints.native import TOKENIZER_FILE
from core.errors import CheckpointError
from core.training.__main__ import _with_room, main
from core.training.cards import command, run_facts
from core.training.evaluation import evaluate
from core.training.loop import LOG_FILE, STATE_FILE, finished_weights, read_state
from core.training.recipes import RECIPES, Teaching
from core.training.teaching import WRITTEN_FILE

ROOT = Path(__file__).resolve().parent.parent.parent
PLAIN = ["--tier", "tiny", "--no-compile", "--fp32", "--device", "cpu", "--threads", "1"]


def arguments(model: str, corpora: Path, out: Path, *more: str) -> list[str]:
    return [model, *PLAIN, "--corpora", str(corpora), "--out", str(out / "run"),
            "--cache", str(out / "cache"), *more]  # fmt: skip


@pytest.fixture(scope="module", params=["gpt", "bert"])
def trained(request, corpora_directory, tmp_path_factory) -> tuple[str, Path]:
    """A model of the tiny tier after a few steps."""
    out = tmp_path_factory.mktemp(request.param)
    assert main(arguments(request.param, corpora_directory, out, "--steps", "12")) == 0
    return request.param, out


def test_training_leaves_a_run(trained):
    model, out = trained
    assert {path.name for path in (out / "run").iterdir()} == {
        "tokenizer.json", LOG_FILE, STATE_FILE
    }  # fmt: skip
    records = [json.loads(line) for line in (out / "run" / LOG_FILE).read_text().splitlines()]
    assert records[0]["steps"] == 12
    assert records[-1]["held_out"].keys() == {"tinystories"}
    assert len(records[-1]["held_out"]["tinystories"]) == (1 if model == "gpt" else 2)


def test_shipping_measures_what_is_stored_and_evaluating_prints_it_again(
    trained, corpora_directory, tmp_path, capsys
):
    model, out = trained
    shelf = tmp_path / "zoo" / model
    ship = ["ship", model, "--tier", "tiny", "--run", str(out / "run"), "--corpora",
            str(corpora_directory), "--to", str(shelf)]  # fmt: skip
    assert main(ship) == 0
    loaded = zoo.load(model, device="cpu", root=tmp_path / "zoo")
    assert loaded.card == capsys.readouterr().out.rstrip("\n") + "\n"
    assert "Licence of the weights: CC BY-SA 4.0" in loaded.card
    assert "tinystories | 100% | CDLA-Sharing-1.0" in loaded.card
    assert "--seed 0 --steps 12 --threads 1`" in loaded.card
    assert "12 steps" in loaded.card
    measured = {name: v for name, v in loaded.metrics.items() if name != "run"}
    again = evaluate(loaded, RECIPES[model, "tiny"].sources, corpora_directory)
    assert measured == pytest.approx(again)
    assert loaded.metrics["run"]["steps"] == 12

    assert main(["evaluate", str(shelf), "--corpora", str(corpora_directory)]) == 0
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    for name, value in measured.items():
        assert float(printed[name]) == pytest.approx(value, abs=1e-4)
    expected = "bits_per_byte/valid_wiki" if model == "gpt" else "masked_top_1/valid_wiki"
    assert expected in printed


def test_a_cards_command_makes_a_shortened_run_again(corpora_directory, tmp_path):
    first, again = tmp_path / "first", tmp_path / "again"
    cut = ["--steps", "12", "--cool-down-at", "4", "3"]
    assert main(arguments("gpt", corpora_directory, first, *cut)) == 0
    facts = run_facts(first / "run")
    assert (facts["steps"], facts["planned_steps"]) == (7, 12)
    said = command(RECIPES["gpt", "tiny"], facts)
    assert said.endswith(" --seed 0 --steps 12 --cool-down-at 4 3 --threads 1")
    program = "python -m core.training "
    assert said.startswith(program)
    words = said.removeprefix(program).replace("DIR", str(corpora_directory)).split()
    places = ["--out", str(again / "run"), "--cache", str(again / "cache")]
    assert main([*words, *places, "--no-compile", "--fp32", "--device", "cpu"]) == 0
    states = [torch.load(out / "run" / STATE_FILE)["model"] for out in (first, again)]
    assert all(states[0][name].equal(states[1][name]) for name in states[0])


@pytest.fixture
def longer(monkeypatch) -> None:
    """A tier that goes on from the tiny one, with dropout and twice the context."""
    tiny = RECIPES["gpt", "tiny"]
    sources = tuple(dataclasses.replace(s, dropout=0.2, weight=7.0) for s in tiny.sources)
    config = dataclasses.replace(tiny.config, n_ctx=2 * tiny.config.n_ctx)
    recipe = dataclasses.replace(
        tiny, tier="cpu-longer", after="tiny", sources=sources, config=config, kept=0.25
    )
    monkeypatch.setitem(RECIPES, ("gpt", "cpu-longer"), recipe)


def test_a_longer_context_takes_the_later_rows_of_its_positions_again():
    table = torch.arange(8.0).view(4, 2)
    longer = _with_room({"embed.positions.weight": table, "other": table}, 9)
    assert longer["embed.positions.weight"].equal(table[[0, 1, 2, 3, 2, 3, 2, 3, 2]])
    assert longer["other"] is table
    assert _with_room(longer, 9) is longer


@pytest.mark.usefixtures("longer")
def test_a_run_goes_on_from_another_and_its_card_tells_of_both(
    corpora_directory, tmp_path, say_it_was_on_a_gpu
):
    first, then = tmp_path / "run", tmp_path / "then"
    assert main(arguments("gpt", corpora_directory, tmp_path, "--steps", "30")) == 0
    say_it_was_on_a_gpu(first / STATE_FILE)
    with (first / LOG_FILE).open("a") as log:
        log.write('{"event": "note", "note": "Somebody switched it off and on."}\n')
    more = ["gpt", "--tier", "cpu-longer", *PLAIN[2:], "--corpora", str(corpora_directory),
            "--out", str(then), "--cache", str(tmp_path / "cache")]  # fmt: skip
    assert main([*more, "--after", str(first), "--seed", "1", "--steps", "6"]) == 0
    assert (then / TOKENIZER_FILE).read_bytes() == (first / TOKENIZER_FILE).read_bytes()
    losses = [
        [line["losses"][0] for line in map(json.loads, (run / LOG_FILE).read_text().splitlines())
         if "losses" in line]
        for run in (first, then)
    ]  # fmt: skip
    assert losses[1][0] < losses[0][0]  # it begins where the first ended, not anew

    again = tmp_path / "again"
    places = ["--out", str(again), "--after", str(first)]
    assert main([*more, *places, "--seed", "1", "--steps", "6"]) == 0
    states = [torch.load(run / STATE_FILE)["model"] for run in (then, again)]
    assert all(states[0][name].equal(states[1][name]) for name in states[0])

    say_it_was_on_a_gpu(then / STATE_FILE)
    shelf = tmp_path / "zoo" / "gpt"
    ship = ["ship", "gpt", "--tier", "cpu-longer", "--run", str(then), "--corpora",
            str(corpora_directory), "--to", str(shelf)]  # fmt: skip
    assert main(ship) == 0
    shipped = zoo.load("gpt", device="cpu", root=tmp_path / "zoo")
    old, new = (torch.load(run / STATE_FILE, map_location="cpu")["model"] for run in (first, then))
    for name, weight in shipped.model.state_dict().items():
        grew = name == "embed.positions.weight"
        between = new[name] if grew else 0.75 * new[name] + 0.25 * old[name]
        torch.testing.assert_close(weight, between, rtol=1e-2, atol=1e-4)  # stored in bfloat16
    card = shipped.card
    assert "between this run's weights (75%) and those it began from (25%)" in card
    assert "`python -m core.training gpt --tier tiny --corpora DIR --seed 0 --steps 30" in card
    assert "`python -m core.training gpt --tier cpu-longer --corpora DIR --seed 1 --step" in card
    assert card.count("Somebody switched it off and on.") == 1
    assert "In 2 runs: 0.0 M tokens in " in card
    assert "It began from what the tiny run gave." in card
    assert "| tinystories | 100% | 100% | CDLA" in card
    assert "Share 2 is where the cpu-longer run begins." in card
    assert "Rows of small sources had dropout: tinystories 20%." in card
    assert "The context grew from 32 to 64 tokens" in card


@pytest.fixture
def taught(longer, monkeypatch) -> None:
    """A tier that goes on from the tiny one and learns from it and from the longer one."""
    teaching = Teaching(
        tiers=("tiny", "cpu-longer"), first=("written", "tinystories"), rows=3,
        prompts="tinystories", written=5, share=0.5,
    )  # fmt: skip
    config = RECIPES["gpt", "cpu-longer"].config
    recipe = dataclasses.replace(
        RECIPES["gpt", "tiny"], tier="cpu-taught", after="tiny", config=config, teaching=teaching,
        kept=0.25, kept_of="cpu-longer",
    )  # fmt: skip
    monkeypatch.setitem(RECIPES, ("gpt", "cpu-taught"), recipe)


@pytest.mark.usefixtures("taught")
def test_a_run_is_taught_by_others_and_its_card_tells_of_all(corpora_directory, tmp_path, capsys):
    corpora, cache = str(corpora_directory), str(tmp_path / "cache")
    tiny, other, out = tmp_path / "run", tmp_path / "other", tmp_path / "taught"
    assert main(arguments("gpt", corpora_directory, tmp_path, "--steps", "8")) == 0
    places = [*PLAIN[2:], "--corpora", corpora, "--cache", cache, "--after", str(tiny)]
    assert main(["gpt", "--tier", "cpu-longer", *places, "--out", str(other), "--steps", "4"]) == 0
    train = ["gpt", "--tier", "cpu-taught", *places, "--out", str(out), "--steps", "4"]
    capsys.readouterr()
    for wrong, message in (
        ([], f"{Path('runs') / 'gpt-tiny'}: no finished run here; train --tier tiny first"),
        (["--teacher", str(tiny)], "it must be given 2 times, or left out"),
        (["--teacher", str(other), "--teacher", str(tiny)], "a run of --tier cpu-longer"),
    ):
        assert main([*train, *wrong]) == 2
        assert message in one_line_of_error(capsys)
    train += ["--teacher", str(tiny), "--teacher", str(other)]
    assert main(train) == 0
    rows = np.load(out / WRITTEN_FILE)
    assert rows.shape == (5, 65)
    records = [json.loads(line) for line in (out / LOG_FILE).read_text().splitlines()]
    assert records[0]["teachers"] == [run_facts(tiny), run_facts(other)]
    assert len(records[-2]["losses"]) == 2
    assert len(records[-1]["held_out"]["tinystories"]) == 1

    first = read_state(out)["model"]
    assert main([*train, "--resume"]) == 0  # at its end; the rows are read again
    (out / WRITTEN_FILE).unlink()
    assert main(train) == 0  # and written again
    assert (np.load(out / WRITTEN_FILE) == rows).all()
    assert all(first[name].equal(weight) for name, weight in read_state(out)["model"].items())
    assert main([*train, "--seed", "1"]) == 0  # a run begun anew takes no other run's rows
    assert (np.load(out / WRITTEN_FILE) != rows).any()

    ship = ["ship", "gpt", "--tier", "cpu-taught", "--run", str(out), "--corpora", corpora,
            "--to", str(tmp_path / "zoo" / "gpt")]  # fmt: skip
    assert main(ship) == 0
    shipped = zoo.load("gpt", device="cpu", root=tmp_path / "zoo")
    own, theirs = read_state(out)["model"], finished_weights(other, RECIPES["gpt", "cpu-longer"])
    for name, weight in shipped.model.state_dict().items():  # stored in bfloat16
        between = 0.75 * own[name] + 0.25 * theirs[name]
        torch.testing.assert_close(weight, between, rtol=1e-2, atol=1e-4)
    card = shipped.card
    assert "weights (75%) and what the cpu-longer run gave (25%), on a straight line" in card
    assert "In 3 runs" in card
    assert card.count("`python -m core.training gpt --tier") == 3
    assert card.count("It began from what the tiny run gave.") == 2
    assert "Of every 4 rows 3 were learnt from the mean prediction of what the runs tiny" in card
    assert "50% of the rows were text that these models wrote for it: 5 rows" in card
    assert "position table of tiny was continued" in card  # it reads half as much at once


def test_a_run_without_teachers_takes_none(corpora_directory, tmp_path, capsys):
    train = arguments("gpt", corpora_directory, tmp_path, "--steps", "2", "--teacher", "some/run")
    assert main(train) == 2
    assert "teacher is ['some/run']; it must be left out" in one_line_of_error(capsys)


def test_a_run_that_keeps_a_share_must_hold_what_it_began_from(tmp_path, corpora_directory):
    assert main(arguments("gpt", corpora_directory, tmp_path, "--steps", "2")) == 0
    with pytest.raises(CheckpointError, match="does not hold the weights it keeps a share of"):
        finished_weights(tmp_path / "run", dataclasses.replace(RECIPES["gpt", "tiny"], kept=0.5))


@pytest.mark.usefixtures("longer")
def test_a_run_is_resumed_and_shipped_as_the_tier_it_is(corpora_directory, tmp_path, capsys):
    """A longer one of the same sizes would take its weights, and tell a wrong tale of them."""
    assert main(arguments("gpt", corpora_directory, tmp_path, "--steps", "2")) == 0
    run, corpora = tmp_path / "run", str(corpora_directory)
    capsys.readouterr()
    resume = ["gpt", "--tier", "cpu-longer", *PLAIN[2:], "--corpora", corpora, "--out", str(run),
              "--after", str(run), "--resume"]  # fmt: skip
    ship = ["ship", "gpt", "--tier", "cpu-longer", "--run", str(run), "--corpora", corpora,
            "--to", str(tmp_path / "zoo")]  # fmt: skip
    for asked in (resume, ship):
        assert main(asked) == 2
        said = one_line_of_error(capsys)
        assert f"{run}: a run of --tier tiny, not of cpu-longer; name its own" in said


@pytest.mark.parametrize("log", [None, "", "[1]\n", '{"event": "start"', '{"event": "start"}\n'])
def test_a_run_without_its_log_ships_not(log, corpora_directory, tmp_path, capsys):
    assert main(arguments("gpt", corpora_directory, tmp_path, "--steps", "2")) == 0
    path = tmp_path / "run" / LOG_FILE
    path.unlink() if log is None else path.write_text(log)
    capsys.readouterr()
    ship = ["ship", "gpt", "--tier", "tiny", "--run", str(tmp_path / "run"), "--corpora",
            str(corpora_directory), "--to", str(tmp_path / "zoo")]  # fmt: skip
    assert main(ship) == 2
    assert "no log of a run here that tells how it went" in one_line_of_error(capsys)


@pytest.mark.usefixtures("longer")
@pytest.mark.parametrize(
    ("tier", "message"),
    [("cpu-longer", "no finished run here; train --tier tiny first"), ("tiny", "tiny begins anew")],
)
def test_what_a_run_goes_on_from_must_be_there(tier, message, corpora_directory, tmp_path, capsys):
    asked = ["gpt", "--tier", tier, "--corpora", str(corpora_directory), "--out",
             str(tmp_path / "run"), "--after", str(tmp_path / "none")]  # fmt: skip
    assert main(asked) == 2
    assert message in capsys.readouterr().err


def test_a_stopped_run_is_resumed(corpora_directory, tmp_path, capsys):
    whole = arguments("gpt", corpora_directory, tmp_path, "--steps", "3")
    assert main(whole) == 0
    assert main([*whole, "--resume"]) == 0  # already at its end: nothing to do
    assert main([*whole[:-2], "--resume", "--seed", "1"]) == 2
    assert "seed is 1; it must be 0, as the run began" in capsys.readouterr().err


@pytest.mark.parametrize("seed", [-1, 2**70])
def test_a_seed_that_no_generator_takes_is_an_error(seed, corpora_directory, tmp_path, capsys):
    assert main(arguments("gpt", corpora_directory, tmp_path, "--seed", str(seed))) == 2
    assert f"seed is {seed}; it must be a whole number between 0 and" in one_line_of_error(capsys)


def one_line_of_error(capsys) -> str:
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said


def stop_before_the_end(run: Path) -> None:
    """Make a finished run one that stands a step before its end."""
    state = torch.load(run / STATE_FILE)
    state["progress"]["step"] -= 1
    torch.save(state, run / STATE_FILE)


@pytest.mark.usefixtures("longer")
def test_what_goes_on_from_a_run_or_ships_it_waits_for_its_end(corpora_directory, tmp_path, capsys):
    train = arguments("gpt", corpora_directory, tmp_path, "--steps", "3")
    assert main(train) == 0
    run, corpora = tmp_path / "run", str(corpora_directory)
    stop_before_the_end(run)
    then = ["gpt", "--tier", "cpu-longer", *PLAIN[2:], "--corpora", corpora, "--after", str(run),
            "--out", str(tmp_path / "then"), "--cache", str(tmp_path / "cache"),
            "--steps", "2"]  # fmt: skip
    shelf = tmp_path / "zoo"
    ship = ["ship", "gpt", "--tier", "tiny", "--run", str(run), "--corpora", corpora,
            "--to", str(shelf)]  # fmt: skip
    capsys.readouterr()
    for asked in (then, ship):
        assert main(asked) == 2
        message = "this run stands at step 2 of 3; end it first, with --resume"
        assert message in one_line_of_error(capsys)
    assert not shelf.exists()
    assert not (tmp_path / "then").exists()
    assert main([*train, "--resume"]) == 0
    assert main(then) == 0


def test_a_run_whose_schedule_was_bent_by_hand_is_finished_at_its_own_end(
    corpora_directory, tmp_path
):
    """Old checkpoints do not say how it was bent."""
    cut = ["--steps", "12", "--cool-down-at", "4", "3"]
    assert main(arguments("gpt", corpora_directory, tmp_path, *cut)) == 0
    path = tmp_path / "run" / STATE_FILE
    state = torch.load(path)
    del state["progress"]["cool_downs"]
    torch.save(state, path)
    assert read_state(path.parent, finished=True)["progress"]["step"] == 7


@pytest.mark.parametrize("command", ["resume", "ship", "after"])
@pytest.mark.parametrize("sizes", [{"d_model": 16}, {"n_layers": 1}, {"n_layers": 3}])
def test_a_run_of_other_sizes_is_one_line(
    command, sizes, corpora_directory, tmp_path, capsys, monkeypatch
):
    train = arguments("gpt", corpora_directory, tmp_path, "--steps", "2")
    assert main(train) == 0
    tiny = RECIPES["gpt", "tiny"]
    other = dataclasses.replace(
        tiny,
        config=dataclasses.replace(tiny.config, **sizes),
        after="tiny" if command == "after" else None,
    )
    monkeypatch.setitem(RECIPES, ("gpt", "tiny"), other)
    run = str(tmp_path / "run")
    asked = {
        "resume": [*train, "--resume"],
        "ship": ["ship", "gpt", "--tier", "tiny", "--run", run, "--corpora",
                 str(corpora_directory), "--to", str(tmp_path / "zoo")],
        "after": [*train, "--after", run, "--out", str(tmp_path / "then")],
    }[command]  # fmt: skip
    capsys.readouterr()
    assert main(asked) == 2
    said = one_line_of_error(capsys)
    assert f"{run}: another model's run: tensor 'blocks." in said
    assert "name the model and --tier of the run" in said


def test_a_run_of_another_model_is_not_resumed_before_the_corpora_are_read(trained, capsys):
    model, out = trained
    other = {"gpt": "bert", "bert": "gpt"}[model]
    assert main([*arguments(other, out / "none", out), "--resume"]) == 2
    assert "another model's run" in one_line_of_error(capsys)


@pytest.mark.parametrize("content", [b"", b"half of it", b"PK\x03\x04 half of it"])
def test_a_damaged_checkpoint_is_one_line(content, corpora_directory, tmp_path, capsys):
    train = arguments("gpt", corpora_directory, tmp_path, "--steps", "2")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / STATE_FILE).write_bytes(content)
    assert main([*train, "--resume"]) == 2
    assert "state.pt: damaged, or no checkpoint (" in one_line_of_error(capsys)
    torch.save({"model": {}}, tmp_path / "run" / STATE_FILE)
    assert main([*train, "--resume"]) == 2
    assert "state.pt: not a checkpoint of a training run" in one_line_of_error(capsys)


def test_a_resumed_run_has_its_steps_already(corpora_directory, tmp_path, capsys):
    train = arguments("gpt", corpora_directory, tmp_path)
    assert main([*train, "--steps", "12", "--cool-down-at", "4", "3"]) == 0
    for steps, status in (("12", 0), ("7", 2), ("100", 2)):
        capsys.readouterr()
        assert main([*train, "--steps", steps, "--resume"]) == status
        said = capsys.readouterr().err
        expected = f"error: steps is {steps}; it must be 12, as the run began, or left out\n"
        assert said == (expected if status else "")
    assert main([*train, "--resume"]) == 0
    (tmp_path / "run" / LOG_FILE).write_text("half of")
    assert main([*train, "--steps", "12", "--resume"]) == 2
    assert "log.jsonl: does not say how the run began" in one_line_of_error(capsys)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["gpt", *PLAIN, "--corpora", "{none}", "--out", "{out}"], "no such file; name the co"),
        (["bert", *PLAIN, "--corpora", "{none}", "--out", "{out}"], "no such file; name the co"),
        (["evaluate", "no-such-model", "--corpora", "{none}"], "no such model; on the shelf:"),
        (["ship", "gpt", "--run", "{none}", "--corpora", "{none}"], "train first"),
        (["gpt", "--tier", "tiny", "--corpora", "{corpora}", "--out", "{out}", "--cache", "{out}",
          "--device", "tpu"], "device 'tpu' is not available here"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)  # fmt: skip
def test_a_mistake_is_one_line_and_status_2(command, message, corpora_directory, tmp_path, capsys):
    places = {"none": tmp_path / "none", "out": tmp_path / "out", "corpora": corpora_directory}
    assert main([part.format(**places) for part in command]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert message in error


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["gpt"],
        ["gpt", "--corpora", "x", "--tier", "huge"],
        ["ship", "gpt", "--corpora", "x", "--tier", "huge"],
    ],
)
def test_a_command_that_is_not_understood_is_status_2_too(command, capsys):
    with pytest.raises(SystemExit) as caught:
        main(command)
    assert caught.value.code == 2
    assert "usage: python -m core.training" in capsys.readouterr().err


def test_as_a_program_it_ends_with_that_status(tmp_path):
    command = [sys.executable, "-m", "core.training", "gpt", "--tier", "tiny", "--corpora",
               str(tmp_path), "--out", str(tmp_path / "run")]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_two_processes_train_what_one_does(corpora_directory, tmp_path):
    """DDP under torchrun, gloo: four rows each, gradients averaged."""
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(arguments("gpt", corpora_directory, one, "--steps", "6")) == 0
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node",
                "2", "-m", "core.training"]  # fmt: skip
    done = subprocess.run(
        [*torchrun, *arguments("gpt", corpora_directory, two, "--steps", "6")],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
        env=os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    logs = [(out / "run" / LOG_FILE).read_text().splitlines() for out in (one, two)]
    first, second = ([json.loads(line) for line in log] for log in logs)
    assert [r.get("processes") for r in (first[0], second[0])] == [1, 2]
    assert len(first) == len(second)  # only the first process writes
    assert first[-2]["tokens"] == second[-2]["tokens"]
    assert first[-2]["losses"] == pytest.approx(second[-2]["losses"], abs=1e-3)
    states = [torch.load(out / "run" / STATE_FILE)["model"] for out in (one, two)]
    for name, mine in states[0].items():
        torch.testing.assert_close(states[1][name], mine, atol=2e-3, rtol=0, msg=name)
