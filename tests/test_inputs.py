"""What a model can be given: plain data, told apart by all of it."""

from __future__ import annotations

import dataclasses
import pickle
import re
from typing import get_args

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from core import inputs
from core.errors import ParameterError
from core.inputs import (
    LONGEST_PICTURE,
    ONE_TEXT,
    Batch,
    Ids,
    Input,
    Padded,
    Pair,
    Picture,
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
    Picture(2, 1, b"\x00\xff"),
    Picture(1, 1, b"\x00\xff\x00", channels=3),
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
    assert set(get_args(Input)) == {type(one) for one in EACH}
    assert len({one.READING for one in get_args(Input)}) == len(get_args(Input))
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
    if isinstance(given, Picture):
        return  # no model here sees
    able = [one for one in (gpt, bert, transformer) if type(given) in one.model.takes]
    assert able
    for model in able:
        trace_run(model, given)


def test_every_kind_stands_in_the_docstring():
    assert {example.partition("(")[0] for example in EXAMPLES} == {
        one.__name__ for one in get_args(Input)
    }


@pytest.mark.parametrize("given", [Batch(("a", "a longer one")), Batch((Text("a"), "b"))])
def test_a_string_in_a_batch_is_no_input(given, gpt):
    with pytest.raises(ParameterError, match=r"input is '[ab]'; it must be one of Text, Pair, Ids"):
        trace_run(gpt, given)


@drawn(st.integers(1, 30), st.integers(1, 30), st.sampled_from([1, 3]), st.randoms())
def test_a_picture_comes_back_from_its_text(width, height, channels, random):
    one = Picture(width, height, random.randbytes(width * height * channels), channels)
    assert Picture.of_text(one.as_text()) == one
    assert one.as_text().startswith(f"{width}x{height}")


HOSTILE = ["", "28x28:", "28x28:AAAA", "0x0:", "1x1:A", "1x1:AAAA", "1x1x2:AAAA", "1x1:A A",
           "-1x1:AA", "999x999:" + "A" * 9, "28x28:" + "A" * 10_000_000, "1x1:<img>", "1x1:A\n",
           "１x１:AA"]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:12] for text in HOSTILE])
def test_a_text_that_is_no_picture_says_what_one_is(text):
    with pytest.raises(ParameterError, match="a size such as 28x28, a colon, and the pixels"):
        Picture.of_text(text)


def test_a_picture_whose_text_is_too_long_for_a_link_is_none():
    side = int((LONGEST_PICTURE * 3 / 4) ** 0.5) + 1
    with pytest.raises(ParameterError):
        Picture(side, side, bytes(side * side))
