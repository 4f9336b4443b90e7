"""Curves of small models: files that say how they were made, and honest questions."""

from __future__ import annotations

import json

import pytest
import torch

from core.data import recorded
from core.shaped.gpt import SmallGPT, SmallGPTConfig
from core.studies.curves.gpt import ASKED_AT, GPTPupil, Stories
from core.studies.curves.variants import LENGTH, VARIANTS, Budget
from core.tracing.tap import Recorder
from core.training.__main__ import main

TRIED = ["leak", "smoothed", "no_padding_mask"]


@pytest.fixture(scope="module")
def folder(corpora_directory, tmp_path_factory):
    out = tmp_path_factory.mktemp("curves")
    done = main(
        ["curves", *TRIED, "--corpora", str(corpora_directory), "--out", str(out), "--steps", "3",
         "--cache", str(out / "cache"), "--threads", "1"]
    )  # fmt: skip
    assert done == 0
    return out


def test_a_file_says_how_it_was_made_and_is_read_back(folder):
    found = recorded.curves(folder)
    assert sorted(found) == sorted(TRIED)
    for name, curve in found.items():
        assert curve.command == (f"python -m core.training curves {name} --corpora DIR --steps 3")
        assert curve.steps == (0, 3)
        assert 0 <= curve.right[0] <= 1
        assert curve.held[0] > 3  # of 512 pieces nothing is known yet
        assert curve.parameters > 100_000
    assert set(found["smoothed"].more) == {"wider"}
    assert found["leak"].config["variant"]["causal"] is False
    text = (folder / "leak.json").read_text()
    assert json.loads(text)["config"]["budget"]["steps"] == 3
    assert len(text) < 20_000


def test_what_stands_behind_a_text_changes_a_translation_only_without_a_mask(folder):
    found = recorded.curves(folder)
    masked, unmasked = found["smoothed"], found["no_padding_mask"]
    assert masked.more["wider"] == pytest.approx(masked.held, abs=2e-5)
    apart = [abs(a - b) for a, b in zip(unmasked.more["wider"], unmasked.held, strict=True)]
    assert max(apart) > 1e-3


def test_a_question_ends_before_its_answer():
    """Whatever a model may see: the tokens from the answer on change nothing."""
    held = torch.randint(512, (4, LENGTH + 1), generator=torch.Generator().manual_seed(1))
    pupil = GPTPupil(VARIANTS["leak"], Stories(held, held), 0, Budget())
    before = pupil.measure()
    other = held.clone()
    other[:, ASKED_AT[-1] + 1 :] = 7
    again = GPTPupil(VARIANTS["leak"], Stories(held, other), 0, Budget()).measure()
    assert again == before


def test_a_softmax_over_queries_adds_up_to_one_down_each_column_and_leaks():
    config = SmallGPTConfig(64, 8, 32, 1, 2, wrong_axis=True)
    model = SmallGPT(config, torch.Generator().manual_seed(0))
    ids, tap = torch.arange(8)[None], Recorder()
    with torch.no_grad():
        logits = model(ids, tap=tap)
        weights = tap.values["blocks.0.attn.weights"]
        torch.testing.assert_close(weights.sum(dim=-2), torch.ones(1, 2, 8))
        assert (weights.triu(1) == 0).all()
        other = ids.clone()
        other[0, -1] = 40
        assert not torch.allclose(model(other)[0, 3], logits[0, 3])


@pytest.mark.parametrize(
    ("more", "said"), [(["nothing"], "variant"), (["a", "--steps", "0"], "steps")]
)
def test_a_mistake_is_one_line(more, said, capsys, tmp_path):
    assert main(["curves", *more, "--corpora", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err


def test_two_translators_are_followed_and_asked_how_sure_they_are(corpora_directory, tmp_path):
    out = tmp_path / "calibration.json"
    done = main(
        ["calibration", "--corpora", str(corpora_directory), "--out", str(out), "--steps", "2",
         "--cache", str(tmp_path / "cache"), "--threads", "1"]
    )  # fmt: skip
    assert done == 0
    found = json.loads(out.read_text())
    assert set(found["models"]) == {"translator", "smoothed"}
    for one in found["models"].values():
        assert one["steps"] == [0, 2]
        counts = one["counts"][-1]
        assert len(counts) == len(one["sure_in_bin"][-1]) == 10
        right = sum(n * (share or 0) for n, share in zip(counts, one["right_in_bin"][-1],
                                                         strict=True))  # fmt: skip
        assert right / sum(counts) == pytest.approx(one["right"][-1], abs=2e-4)
    assert main(["calibration", "--corpora", str(tmp_path), "--steps", "0"]) == 2


def test_warm_ups_are_tried_and_the_steps_of_the_weights_measured(tmp_path):
    out = tmp_path / "warm_up.json"
    assert main(["warm-up", "--out", str(out), "--steps", "3", "--threads", "1"]) == 0
    found = json.loads(out.read_text())
    assert found["command"] == "python -m core.training warm-up"
    assert [(one["warm_up"], one["waits"]) for one in found["trainings"]] == [
        (1, 0), (10, 0), (30, 0), (50, 0), (100, 0), (300, 0), (1, 50),
    ]  # fmt: skip
    none, *_, longest, waited = found["trainings"]
    assert found["steps"] == [1, 2, 3] == list(range(1, 1 + len(none["loss"])))
    assert none["rate"][0] == found["rate"]
    assert longest["rate"][0] == pytest.approx(found["rate"] / 300, rel=0.01)
    assert waited["rate"] == [0, 0, 0]  # it only fills its averages
    for one in found["trainings"]:
        assert 0.98 < one["ratio"][0] <= 1.001  # after one gradient m̂ / √v̂ is its sign
        assert one["ratio"][2] < 0.95
    assert main(["warm-up", "--steps", "0"]) == 2
