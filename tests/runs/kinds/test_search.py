"""A search as a tree, against plain passes."""

from __future__ import annotations

import pytest
import torch

from core.decoding.beam import beam_search
from core.errors import AbilityError
from core.predict import translate
from core.runs.kinds.search import SearchRequest
from core.runs.store import Runs
from tests.conftest import loaded, tiny_transformer

TEXT, TARGET = "The cat sat on the mat", "the dog saw a sea"


@pytest.fixture(params=["transformer", "rnn"])
def machine(request):
    return request.getfixturevalue(request.param)


def runs_of(machine) -> Runs:
    return Runs(load=lambda name, device: machine)


def search(machine, method: str, *walked: tuple[int, ...], **more):
    given = {"beams": 3, "alpha": 0.6, "temperature": 0.8, "seed": 0, "length": 6, "shown": 2}
    asked = SearchRequest("m", TEXT, method, **{**given, **more}, walked=walked)
    return runs_of(machine).get(asked)


def ids_of(tree, at: int) -> list[int]:
    """The tokens from the start to a branch."""
    found: list[int] = []
    while at >= 0:
        found.insert(0, tree.branches[at].token.id)
        at = tree.branches[at].parent
    return found


def in_one_pass(machine, ids: list[int]) -> list[float]:
    """The log-probability of each token, from one run over all of them."""
    source = torch.tensor([machine.encode(TEXT)])
    target = torch.tensor([[machine.config.start_id, *ids[:-1]]])
    with torch.inference_mode():
        logs = machine.model(source, target)[0].double().log_softmax(-1)
    return [float(logs[at, token]) for at, token in enumerate(ids)]


@pytest.mark.parametrize("method", ["greedy", "sample", "beam", "hand"])
def test_every_branch_has_its_own_number_and_the_sums_add_up(machine, method):
    tree = search(machine, method, (1, 0, 1), (0, 0))
    for at, branch in enumerate(tree.branches):
        before = tree.branches[branch.parent].total if branch.parent >= 0 else 0.0
        assert branch.parent < at
        assert branch.total == pytest.approx(before + branch.log_prob)
        assert len(branch.ranks) == len(ids_of(tree, at))
    deepest = max(range(len(tree.branches)), key=lambda n: len(tree.branches[n].ranks))
    for at in {0, deepest, len(tree.branches) - 1}:
        logs = in_one_pass(machine, ids_of(tree, at))
        assert tree.branches[at].log_prob == pytest.approx(logs[-1], abs=2e-4)
        assert tree.branches[at].total == pytest.approx(sum(logs), abs=5e-4)


def test_the_beams_of_the_tree_are_those_of_the_search(machine):
    tree = search(machine, "beam", length=99)
    source = torch.tensor([machine.encode(TEXT)])
    expected = beam_search(
        machine.model.begin(source), machine.config.start_id, machine.config.end_id, beams=3,
        never=(machine.config.start_id,),
    )  # fmt: skip
    assert [tuple(ids_of(tree, one.branch)) for one in tree.found] == [one.ids for one in expected]
    for one, other in zip(tree.found, expected, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-4)
        assert one.penalty == pytest.approx(other.log_prob / other.score)
        assert one.ended == other.ended
    best = machine.decode(ids_of(tree, tree.found[0].branch))
    assert best == translate(machine, TEXT, beams=3).text


def test_greedy_takes_the_first_rank_each_time_and_cuts_the_rest(machine):
    tree = search(machine, "greedy")
    assert all(one.ranks[-1] == 0 for one in tree.branches if one.fate == "kept")
    assert [one.ranks[-1] for one in tree.branches if one.fate == "cut"] == [1] * tree.steps
    assert tree.found[0].score == pytest.approx(tree.branches[tree.found[0].branch].total)


def test_what_is_opened_by_hand_is_there_by_its_ranks(machine):
    tree = search(machine, "hand", (1, 0), (9999,))
    named = {one.ranks: one for one in tree.branches}
    assert tree.found == ()
    assert named[1,].fate == named[1, 0].fate == "walked"
    assert named[0,].fate == "offered"
    assert not named[0,].open
    assert {(1, 0, 0), (1, 0, 1)} <= set(named)  # what may follow
    furthest = max(one.ranks[0] for one in tree.branches)  # as far down as the vocabulary goes
    assert 2 < furthest < 9999
    assert (furthest, 0) in named


def test_a_branch_ends_at_the_end_mark_or_where_the_context_is_full(wordpiece):
    small = loaded(tiny_transformer(vocab_size=wordpiece.vocab_size, n_ctx=5), wordpiece)
    tree = search(small, "hand", (1,) * 9, shown=wordpiece.vocab_size)
    found = {(len(one.ranks) == 5, one.token.id == small.config.end_id, one.ends)
             for one in tree.branches}  # fmt: skip
    assert found == {(False, False, False), (False, True, True),
                     (True, False, True), (True, True, True)}  # fmt: skip


def test_a_model_that_does_not_translate_is_the_users_error(gpt):
    with pytest.raises(AbilityError):
        search(gpt, "beam", temperature=0.0, length=4)
