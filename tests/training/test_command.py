"""The commands: train, shelve, evaluate, queue; and what they say when something is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch

from core import zoo
from core.language import name_of
from core.locale import in_short
from core.training.__main__ import main
from core.training.cards import RUNS, measures_of
from core.training.recipes import RECIPES
from core.training.rundir import LOG_FILE, MODEL, STATE_FILE
from core.training.tasks.next_token import NextToken

ROOT = Path(__file__).resolve().parent.parent.parent
PLAIN = ["--tier", "tiny", "--no-compile", "--fp32", "--device", "cpu", "--threads", "1"]
NAMES = sorted({id_ for id_, _ in RECIPES})  # every model that ships has a recipe of its name
# Whatever a command does besides hangs neither on the network nor on what is learned.
ONE_STREAM_AND_TWO = pytest.mark.parametrize(
    "trained",
    [
        pytest.param(name, marks=() if name in ("gpt", "transformer") else pytest.mark.slow)
        for name in NAMES
    ],
    indirect=True,
)


def arguments(model: str, corpora: Path, out: Path, *more: str) -> list[str]:
    return [model, *PLAIN, "--corpora", str(corpora), "--out", str(out / "run"),
            "--cache", str(out / "cache"), *more]  # fmt: skip


def weights_of(run: Path) -> dict[str, torch.Tensor]:
    return torch.load(run / STATE_FILE)["model"]


@pytest.fixture(scope="module", params=NAMES)
def trained(request, corpora_directory, tmp_path_factory) -> tuple[str, Path]:
    """A model of the tiny tier after a few steps."""
    out = tmp_path_factory.mktemp(request.param)
    assert main(arguments(request.param, corpora_directory, out, "--steps", "12")) == 0
    return request.param, out


def test_training_leaves_a_measured_model(trained, corpora_directory):
    name, out = trained
    run = out / "run"
    of_text = {"tokenizer.json"} if "tokenizer.json" in os.listdir(run / MODEL) else set()
    assert {path.name for path in run.iterdir()} == {LOG_FILE, STATE_FILE, MODEL} | of_text
    left = zoo.load(str(run / MODEL), "cpu")
    assert left.card.startswith(f"# {name_of(name)} ({in_short(left.n_parameters)} parameters)")
    (facts,) = left.metrics[RUNS]
    assert facts["steps"] == 12
    assert facts["command"] == f"python -m core.training {name} --corpora DIR --again 1"
    assert len(facts["command"]) < 80
    known = {"tier": "tiny", "seed": 0, "threads": 1, "falls": "7:5"}
    assert {fact: facts[fact] for fact in known} == known
    again = RECIPES[name, "tiny"].task.measure(left, corpora_directory)
    assert measures_of(left.metrics) == pytest.approx(again)
    assert json.loads((run / LOG_FILE).read_text().splitlines()[-1]) == {"event": "end", **facts}


def test_evaluating_prints_the_figures_again(trained, corpora_directory, capsys):
    """And those of the other files that the shipped models are measured on."""
    name, out = trained
    place = str(out / "run" / MODEL)
    assert main(["evaluate", place, "--corpora", str(corpora_directory)]) == 0
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    for measure, value in measures_of(zoo.load(place, "cpu").metrics).items():
        assert float(printed[measure]) == pytest.approx(value, abs=1e-4)
    assert RECIPES[name, "cpu"].standard.score({m: float(v) for m, v in printed.items()}) <= 1


def test_what_units_mean_is_printed_for_models_that_predict_the_next_token(
    trained, corpora_directory, capsys
):
    name, out = trained
    asked = ["units", str(out / "run" / MODEL), "--corpora", str(corpora_directory)]
    assert main([*asked, "--unit", "0"]) == (0 if name == "gpt" else 2)
    said = capsys.readouterr()
    if name != "gpt":
        assert said.err.startswith("error: ")
        return
    assert [line.split(":")[0] for line in said.out.splitlines()] == [
        "unit 0", "by chance", "units that reach one half",
    ]  # fmt: skip
    assert main([*asked, "--unit", "9999"]) == 2
    assert "between 0 and" in capsys.readouterr().err


@ONE_STREAM_AND_TWO
def test_a_cards_command_makes_the_weights_again(trained, corpora_directory, tmp_path):
    name, out = trained
    shelf = tmp_path / "zoo"
    put = ["shelve", name, "--tier", "tiny", "--shelf", str(shelf), "--run", str(out / "run")]
    assert main(put) == 0
    card, program = zoo.load(name, "cpu", shelf).card, f"`python -m core.training {name} "
    (said,) = (line.partition(program)[2] for line in card.splitlines() if program in line)
    words = [name, *said.partition("`")[0].replace("DIR", str(corpora_directory)).split()]
    places = ["--out", str(tmp_path), "--cache", str(tmp_path / "cache"), "--shelf", str(shelf)]
    assert main([*words, *places, "--no-compile", "--fp32", "--device", "cpu"]) == 0
    mine, theirs = weights_of(tmp_path), weights_of(out / "run")
    assert all(mine[name].equal(theirs[name]) for name in theirs)


def test_a_run_is_not_done_again_of_which_there_is_only_a_note(corpora_directory, tmp_path, capsys):
    again = arguments("gpt", corpora_directory, tmp_path, "--again", "1")
    assert main(again) == 2
    assert "again is 1; it must be a run of which the card gives a command" in one_line_of_error(
        capsys
    )
    again[-1] = "7"
    assert main(again) == 2
    assert "again is 7; it must be between 1 and 1" in one_line_of_error(capsys)


class Wordless(NextToken):
    """A task whose examples break a card."""

    def samples(self, model):
        return [str(model.metrics["no such measure"])]


def test_a_card_that_breaks_does_so_before_the_first_step(corpora_directory, tmp_path, monkeypatch):
    """It used to be seen after the hours of training."""
    recipe = RECIPES["gpt", "tiny"]
    task = Wordless(**{f.name: getattr(recipe.task, f.name) for f in fields(recipe.task)})
    monkeypatch.setitem(RECIPES, ("gpt", "tiny"), replace(recipe, task=task))
    with pytest.raises(KeyError, match="no such measure"):
        main(arguments("gpt", corpora_directory, tmp_path, "--steps", "2"))
    assert not (tmp_path / "run" / LOG_FILE).exists()


@ONE_STREAM_AND_TWO
def test_a_run_from_the_shelf_goes_on_and_adds_a_row(trained, corpora_directory, tmp_path, capsys):
    name, out = trained
    shelf = tmp_path / "zoo"
    put = ["shelve", name, "--tier", "tiny", "--shelf", str(shelf)]
    assert main([*put, "--run", str(out / "run")]) == 0
    first = zoo.load(name, "cpu", root=shelf)
    more = arguments(name, corpora_directory, tmp_path, "--from-shelf", "--shelf", str(shelf))
    assert main([*more, "--steps", "30"]) == 0
    left = zoo.load(str(tmp_path / "run" / MODEL), "cpu")
    assert len(left.metrics[RUNS]) == 2
    assert left.metrics[RUNS][0] == first.metrics[RUNS][0]
    assert left.metrics[RUNS][1]["command"].endswith(" --again 2 --from-shelf")
    assert left.metrics[RUNS][1]["falls"] == "3:27"
    assert left.encoders.fingerprint == first.encoders.fingerprint
    # It begins where the shipped weights are: far below what a new model loses.
    losses = [json.loads((run / LOG_FILE).read_text().splitlines()[0])["losses"]
              for run in (out / "run", tmp_path / "run")]  # fmt: skip
    assert sum(losses[1].values()) < sum(losses[0].values()) - 0.2
    capsys.readouterr()
    if name != "gpt":  # at this size the others guess as badly as before
        return
    assert main([*put, "--run", str(tmp_path / "run")]) == 0
    assert "gpt is on the shelf" in capsys.readouterr().out
    assert zoo.load(name, "cpu", root=shelf).card == left.card
    # The first one is no better than its successor, and stays where it is.
    assert main([*put, "--run", str(out / "run")]) == 1
    assert "not shelved" in capsys.readouterr().out
    assert zoo.load(name, "cpu", root=shelf).fingerprint == left.fingerprint


def test_a_stopped_run_is_resumed(corpora_directory, tmp_path, capsys):
    whole = arguments("gpt", corpora_directory, tmp_path)
    assert main([*whole, "--steps", "3"]) == 0
    assert main([*whole, "--resume"]) == 0  # already at its end: nothing to do but measuring
    for wrong, said in (
        (["--resume", "--seed", "1"], "seed is 1; it must be 0, as the run began"),
        (["--resume", "--steps", "5"], "steps is 5; it must be left out with --resume"),
    ):
        capsys.readouterr()
        assert main([*whole, *wrong]) == 2
        assert said in one_line_of_error(capsys)


@pytest.mark.parametrize("seed", [-1, 2**70])
def test_a_seed_that_no_generator_takes_is_an_error(seed, corpora_directory, tmp_path, capsys):
    assert main(arguments("gpt", corpora_directory, tmp_path, "--seed", str(seed))) == 2
    assert f"seed is {seed}; it must be a whole number between 0 and" in one_line_of_error(capsys)


def one_line_of_error(capsys) -> str:
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_an_interrupted_run_leaves_what_it_has(number, corpora_directory, tmp_path, capsys):
    """A model that loads, and a checkpoint from which it goes on as if nothing had happened."""
    train = arguments("transformer", corpora_directory, tmp_path, "--steps", "4000")
    program = subprocess.Popen(
        [sys.executable, "-m", "core.training", *train], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    log = tmp_path / "run" / LOG_FILE
    ends = time.monotonic() + 90
    while not (log.is_file() and log.read_text().count("\n") > 1) and time.monotonic() < ends:
        time.sleep(0.05)
    program.send_signal(number)
    said, _ = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "--resume goes on" in said
    assert zoo.load(str(tmp_path / "run" / MODEL), "cpu").architecture == "transformer"
    stood = torch.load(tmp_path / "run" / STATE_FILE)["progress"]["step"]
    assert 20 <= stood < 4000
    # Begun anew in the same place, its hours would be lost: that has to be said otherwise.
    assert main(train) == 2
    assert "an unfinished run; --resume continues it" in one_line_of_error(capsys)
    assert torch.load(tmp_path / "run" / STATE_FILE)["progress"]["step"] == stood


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["gpt", *PLAIN, "--corpora", "{none}", "--out", "{out}"], "no such file; name the co"),
        (["bert", *PLAIN, "--corpora", "{none}", "--out", "{out}"], "no such file; name the co"),
        (["transformer", *PLAIN, "--corpora", "{none}", "--out", "{out}"], "no such file; name th"),
        (["gpt", *PLAIN, "--corpora", "{corpora}", "--out", "{out}", "--from-shelf", "--shelf",
          "{none}"], "from_shelf is 'gpt'; it must be the id of a model on the shelf"),
        (["evaluate", "no-such-model", "--corpora", "{none}"], "no such model; on the shelf:"),
        (["shelve", "gpt", "--run", "{none}"], "no such file; this is not a model directory"),
        (["gpt", "--tier", "tiny", "--corpora", "{corpora}", "--out", "{out}", "--cache", "{out}",
          "--device", "tpu"], "device 'tpu' is not available here"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)  # fmt: skip
def test_a_mistake_is_one_line_and_status_2(command, message, corpora_directory, tmp_path, capsys):
    places = {"none": tmp_path / "none", "out": tmp_path / "out", "corpora": corpora_directory}
    assert main([part.format(**places) for part in command]) == 2
    assert message in one_line_of_error(capsys)


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["gpt"],
        ["gpt", "--corpora", "x", "--tier", "huge"],
        ["gpt", "--corpora", "x", "--cool-down-at", "5"],
        ["shelve", "gpt", "--tier", "huge"],
        ["queue", "--corpora", "x"],
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gpt", "transformer"])
def test_two_processes_train_what_one_does(name, corpora_directory, tmp_path):
    """DDP under torchrun, gloo: every second batch each, gradients averaged."""
    one, two = tmp_path / "one", tmp_path / "two"
    recipe = RECIPES[name, "tiny"]
    assert all(n % 2 == 0 for n in recipe.batches.values())
    assert main(arguments(name, corpora_directory, one, "--steps", "6")) == 0
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node",
                "2", "-m", "core.training"]  # fmt: skip
    done = subprocess.run(
        [*torchrun, *arguments(name, corpora_directory, two, "--steps", "6")],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
        env=os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    logs = [(out / "run" / LOG_FILE).read_text().splitlines() for out in (one, two)]
    first, second = ([json.loads(line) for line in log] for log in logs)
    assert len(first) == len(second)  # only the first process writes
    assert first[1]["tokens"] == pytest.approx(second[1]["tokens"], rel=0.2)
    if recipe.dropout:  # each process has masks of its own
        return
    assert first[1]["losses"] == pytest.approx(second[1]["losses"], abs=1e-3)
    states = [weights_of(out / "run") for out in (one, two)]
    for key, mine in states[0].items():
        torch.testing.assert_close(states[1][key], mine, atol=2e-3, rtol=0, msg=key)
