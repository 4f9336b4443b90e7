"""What a card says of a model and of the runs behind it."""

from __future__ import annotations

import pytest

from core.live_training.schedules import Fall, WarmupStableCooldown
from core.training.cards import RUNS, measures_of, write_card
from core.training.finish import run_facts
from core.training.progress import Progress
from core.training.recipes import RECIPES
from core.training.samples import filled_gaps

MADE_LONG_AGO = {"command": "", "note": "many runs", "commit": "abc1234", "minutes": 1234,
                 "steps": 5, "tokens": 17_500_000}  # fmt: skip
PROGRESS = Progress(
    WarmupStableCooldown(5, 0.1, (Fall(40, 30), Fall(60, 20))), by_the_clock=True, step=80,
    read=2_000_000, seconds=150.0,
)  # fmt: skip


def a_run(**more):
    recipe = RECIPES["gpt", "tiny"]
    given = {"earlier": 0, "from_shelf": False, "made_at": "def5678"} | more
    return run_facts(recipe, PROGRESS, 3, **given)


def test_a_run_says_how_it_is_done_again():
    assert a_run() == {
        "command": "python -m core.training gpt --corpora DIR --again 1",
        "commit": "def5678",
        "minutes": 2,
        "steps": 80,
        "tokens": 2_000_000,
        "tier": "tiny",
        "seed": 3,
        "threads": 1,
        "falls": "40:30,60:20",
    }
    again = a_run(earlier=1, from_shelf=True)["command"]
    assert again == "python -m core.training gpt --corpora DIR --again 2 --from-shelf"


def test_a_card_has_a_row_for_each_run_and_source(gpt):
    metrics = {"bits_per_byte/valid_wiki": 1.5, "induction/0.1": 0.3, "induction/1.0": 0.6,
               RUNS: [MADE_LONG_AGO, a_run()]}  # fmt: skip
    card = write_card(RECIPES["gpt", "tiny"], gpt, metrics).splitlines()
    assert card[0].startswith("# GPT (10 k parameters)")
    assert "2 layers, 2 heads, d_model 16, d_ff 32, context 32, vocabulary 300. English." in card
    assert "| tinystories | CDLA-Sharing-1.0 | TinyStories (Eldan & Li 2023) |" in card
    assert "| 1 | 17.5 M | 1,234 | many runs at commit abc1234 |" in card
    assert f"| 2 | 2.0 M | 2 | `{a_run()['command']}` at commit def5678 |" in card
    assert "| bits_per_byte, valid_wiki | 1.500 |" in card
    assert "| best induction head, 1.0 (layer.head) | 0.600 |" in card
    assert not any(line.startswith("| induction") for line in card)


def test_a_card_of_two_stacks_counts_both(translator):
    metrics = {"bleu/mt_tatoeba_en_fr_dev": 12.3456, RUNS: [a_run()]}
    card = write_card(RECIPES["transformer", "tiny"], translator, metrics)
    assert "1 + 1 layers, 2 heads" in card
    assert "French to English." in card
    assert "| bleu, mt_tatoeba_en_fr_dev | 12.346 |" in card


def test_measures_are_all_but_the_runs():
    assert measures_of({"a": 1.0, RUNS: []}) == {"a": 1.0}


@pytest.mark.parametrize(
    ("name", "id_"), [("gpt", "gpt"), ("bert", "bert"), ("translator", "transformer")]
)
def test_samples_are_the_same_every_time(name, id_, request):
    model, task = request.getfixturevalue(name), RECIPES[id_, "tiny"].task
    assert task.samples(model) == task.samples(model)
    assert len(task.samples(model)) >= 6


def test_a_sample_that_does_not_fit_says_so(bert):
    """At 120 entries words fall into letters, and a pair of sentences fills 32 positions."""
    assert [("does not fit its context" in line) for line in filled_gaps(bert)][-2:] == [True, True]
