"""Generation step by step: what computing everything anew would give, and when it stops."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from core.decoding.generate import stream
from core.decoding.sampling import draw, filtered
from core.decoding.settings import GREEDY, Sampling
from core.errors import EmptyInputError, InputTooLongError, ParameterError
from core.models.gpt import GPTDecoder
from tests.conftest import tiny_gpt

PROMPT = [5, 17, 200, 3]


@pytest.fixture(scope="module")
def model():
    return tiny_gpt().double()


def tokens(steps) -> list[int]:
    return [step.token for step in steps]


def test_greedy_is_the_argmax_of_a_full_run_at_every_step(model):
    text = list(PROMPT)
    for step in stream(model.begin(), PROMPT, max_new=12, sampling=GREEDY):
        logits = model(torch.tensor([text]))[0, -1]
        torch.testing.assert_close(step.logits, logits, atol=1e-12, rtol=0)
        assert step.token == int(logits.argmax())
        text.append(step.token)
    assert len(text) == 16


def test_sampling_is_what_drawing_from_full_runs_gives(model):
    sampling = Sampling(1.3, 40, 0.9, repetition=1.2, seed=7)
    generator = torch.Generator().manual_seed(7)
    text = list(PROMPT)
    for step in stream(model.begin(), PROMPT, max_new=12, sampling=sampling):
        expected = filtered(model(torch.tensor([text]))[0, -1], text, sampling)
        torch.testing.assert_close(step.filtered.after_top_p, expected.after_top_p)
        assert step.token == draw(expected.after_top_p, generator)
        text.append(step.token)


def test_a_seed_gives_the_same_text_and_another_seed_another(model):
    def text(seed: int) -> list[int]:
        sampling = Sampling(1.0, 0, 1.0, seed=seed)
        return tokens(stream(model.begin(), PROMPT, max_new=20, sampling=sampling))

    torch.manual_seed(123)
    first = text(1)
    torch.manual_seed(321)
    assert text(1) == first
    assert text(2) != first


def test_only_the_newest_token_is_computed(model):
    steps = list(stream(model.begin(), PROMPT, max_new=5, sampling=GREEDY))
    assert [(step.computed, step.reused) for step in steps] == [
        (4, 0),
        (1, 4),
        (1, 5),
        (1, 6),
        (1, 7),
    ]


def test_it_comes_token_by_token(model):
    """Nothing is computed before it is asked for."""
    calls = []

    class Counting(GPTDecoder):
        def push(self, ids, *more):
            calls.append(ids)
            return super().push(ids, *more)

    decoder = Counting(model, model.make_cache())
    steps = stream(decoder, PROMPT, max_new=5, sampling=GREEDY)
    assert len(calls) == 0
    next(steps)
    next(steps)
    assert len(calls) == 2


def test_it_stops_after_the_end_of_text(model):
    free = tokens(stream(model.begin(), PROMPT, max_new=10, sampling=GREEDY))
    end = free[4]
    stopped = tokens(stream(model.begin(), PROMPT, max_new=10, sampling=GREEDY, end_of_text=end))
    assert stopped == free[: free.index(end) + 1]


def test_end_of_text_in_the_prompt_ends_nothing(model):
    ids, end = [PROMPT[0], *PROMPT], PROMPT[0]
    steps = stream(model.begin(), ids, max_new=3, sampling=GREEDY, end_of_text=end)
    assert len(list(steps)) >= 1


@pytest.mark.parametrize(("n_prompt", "n_new"), [(4, 29), (31, 2), (32, 1)])
def test_it_stops_when_the_context_is_full(model, n_prompt, n_new):
    """32 positions; the last token drawn needs none of its own."""
    steps = list(stream(model.begin(), [1] * n_prompt, max_new=1000, sampling=GREEDY))
    assert len(steps) == n_new
    assert steps[-1].reused + steps[-1].computed == 32


def test_nothing_asked_for_is_nothing_given(model):
    assert list(stream(model.begin(), PROMPT, max_new=0, sampling=GREEDY)) == []


@pytest.mark.parametrize("n", [-1, -5, -1000])
def test_less_than_nothing_is_an_error(model, n):
    with pytest.raises(ParameterError, match=f"max_new is {n}; it must be 0 or above"):
        next(stream(model.begin(), PROMPT, max_new=n, sampling=GREEDY))


def test_distributions_are_kept_when_asked_for(model):
    assert next(stream(model.begin(), PROMPT, max_new=1, sampling=GREEDY)).filtered is None
    step = next(stream(model.begin(), PROMPT, max_new=1, sampling=GREEDY, record=True))
    assert step.filtered.after_top_p[step.token] == 1
    torch.testing.assert_close(step.filtered.raw, step.logits.softmax(-1))


def test_recording_changes_no_choice(model):
    plain = tokens(stream(model.begin(), PROMPT, max_new=20, sampling=GREEDY))
    assert tokens(stream(model.begin(), PROMPT, max_new=20, sampling=GREEDY, record=True)) == plain


def test_a_penalty_counts_for_greedy_too(model):
    loop = tokens(stream(model.begin(), PROMPT, max_new=20, sampling=GREEDY))
    strict = Sampling(0.0, 0, 1.0, repetition=100.0)
    varied = tokens(stream(model.begin(), PROMPT, max_new=20, sampling=strict))
    assert len(set(varied)) >= len(set(loop))
    assert len(set(varied)) == 20


def test_an_empty_prompt_is_an_error(model):
    with pytest.raises(EmptyInputError):
        next(stream(model.begin(), [], max_new=1, sampling=GREEDY))


def test_a_prompt_longer_than_the_context_is_an_error(model):
    with pytest.raises(InputTooLongError, match="33 tokens"):
        next(stream(model.begin(), [1] * 33, max_new=1, sampling=GREEDY))


def test_generations_on_one_model_stay_apart(model):
    """Two take turns on one thread, many on several."""
    other = [9, 8, 7]
    alone = [tokens(stream(model.begin(), p, max_new=15, sampling=GREEDY)) for p in (PROMPT, other)]
    one, two = (stream(model.begin(), p, max_new=15, sampling=GREEDY) for p in (PROMPT, other))
    turns = [(next(one).token, next(two).token) for _ in range(15)]
    assert [list(column) for column in zip(*turns, strict=True)] == alone
    with ThreadPoolExecutor(4) as threads:
        found = list(
            threads.map(
                lambda p: tokens(stream(model.begin(), p, max_new=15, sampling=GREEDY)),
                [PROMPT, other] * 8,
            )
        )
    assert found == alone * 8
