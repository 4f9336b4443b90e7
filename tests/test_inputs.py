"""What a model can be given: plain data, told apart by all of it."""

from __future__ import annotations

import dataclasses
import pickle
import re
from typing import get_args

import pytest

from core import inputs
from core.errors import ParameterError
from core.inputs import (
    ONE_TEXT,
    READING,
    Batch,
    Ids,
    Input,
    Padded,
    Pair,
    Shuffled,
    SourceTarget,
    Text,
)
from core.seeds import LARGEST_SEED
from core.tracing import trace_run

EACH = [
    Text("The cat"),
    Text("The cat "),
    Pair("The cat", "sat"),
    Ids((5, 17, 4)),
    SourceTarget("The cat"),
    SourceTarget("The cat", ""),
    SourceTarget("The cat", "sat"),
    Batch((Text("The cat"),)),
    Batch((Text("The cat"), Pair("a", "b"), Ids((3,)))),
    Shuffled(Text("The cat"), 0),
    Shuffled(Text("The cat"), 1),
    Padded(Text("The cat"), ("sat",)),
    Padded(Shuffled(Text("The cat"), 1), ("sat",)),
]


def test_each_is_another_key_and_stays_one():
    """They key a cache, travel in a link's wake, and may be sent to another process."""
    assert len(set(EACH)) == len(EACH)
    for one in EACH:
        again = pickle.loads(pickle.dumps(one))
        assert again == one
        assert hash(again) == hash(one)


def test_none_can_be_changed():
    for one in EACH:
        field = dataclasses.fields(one)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, field, None)


def test_every_kind_has_words_for_a_model_that_does_not_take_it():
    assert set(READING) == set(get_args(Input)) == {type(one) for one in EACH}
    assert set(get_args(Input)) >= ONE_TEXT


@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1, 10**40])
def test_a_seed_that_no_generator_takes_is_an_error(seed):
    with pytest.raises(
        ParameterError, match="must be a whole number between 0 and 9,007,199,254,740,992"
    ):
        Shuffled(Text("a"), seed)
    assert Shuffled(Text("a"), LARGEST_SEED).seed == LARGEST_SEED


EXAMPLES = re.findall(r"^    (\S.*?)  ", inputs.__doc__, re.M)


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_the_docstring_writes_can_be_run(example, gpt, bert, transformer):
    given = eval(example, vars(inputs))
    able = [one for one in (gpt, bert, transformer) if type(given) in one.model.takes]
    assert able
    for model in able:
        trace_run(model, given)


def test_every_kind_stands_in_the_docstring():
    assert {example.partition("(")[0] for example in EXAMPLES} == {one.__name__ for one in READING}


@pytest.mark.parametrize("given", [Batch(("a", "a longer one")), Batch((Text("a"), "b"))])
def test_a_string_in_a_batch_is_no_input(given, gpt):
    with pytest.raises(ParameterError, match=r"input is '[ab]'; it must be one of Text, Pair, Ids"):
        trace_run(gpt, given)
