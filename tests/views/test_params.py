"""Parameters out of links: what strangers write becomes a value in range, or the default."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.views.params import MAX_TEXT, OnText, param, parse, to_query


@dataclass(frozen=True, slots=True)
class Example(OnText):
    layer: int = param(2, low=0, high=11)
    share: float = param(0.5, low=0.0, high=1.0)
    exact: bool = param(True)
    kind: str = param("learned", choices=("learned", "rotary"))
    numbers: str = param("1, 2", pattern=r"[-0-9., ]*", form="numbers", high=20)
    even: str = param("", pattern=lambda said: None if len(said) % 2 else said, form="even")
    seed: int = param(0, low=0, high=2**31)


def read(**values: str):
    return parse(Example, values)


def test_nothing_said_is_the_default():
    assert read() == (Example(), [])
    assert read(colour="blue", z="%%") == (Example(), [])  # other pages' names


def test_what_is_said_is_taken():
    found, problems = read(
        text="héllo", model="bert", layer="7", share="0.25", exact="0", kind="rotary", numbers="-3"
    )
    assert found == Example("héllo", "bert", "", 7, 0.25, False, "rotary", "-3")
    assert problems == []


@pytest.mark.parametrize(
    ("name", "text", "value", "wanted"),
    [
        ("layer", "99", 11, "between 0 and 11"),
        ("layer", "-1", 0, "between 0 and 11"),
        ("layer", "9" * 400, 11, "between 0 and 11"),
        ("layer", "9" * 401, 2, "a number"),  # longer than any
        ("layer", "1.5", 2, "a number"),
        ("layer", "", 2, "a number"),
        ("layer", "abc", 2, "a number"),
        ("layer", "1e3", 2, "a number"),
        ("layer", "∞", 2, "a number"),
        ("seed", "-1", 0, "between 0 and 2,147,483,648"),
        ("share", "nan", 0.5, "a number"),
        ("share", "inf", 1.0, "between 0 and 1"),
        ("share", "-inf", 0.0, "between 0 and 1"),
        ("share", "1e400", 1.0, "between 0 and 1"),
        ("share", "0,5", 0.5, "a number"),
        ("exact", "yes", True, "0 or 1"),
        ("exact", "", True, "0 or 1"),
        ("kind", "sinusoidal", "learned", "one of learned, rotary"),
        ("kind", "", "learned", "one of learned, rotary"),
        ("numbers", "1; drop", "1, 2", "numbers"),
        ("numbers", "1" * 21, "1, 2", "at most 20 characters"),
    ],
)
def test_a_wrong_value_is_set_right_and_said(name, text, value, wanted):
    found, problems = read(**{name: text})
    assert found == dataclasses.replace(Example(), **{name: value})
    (problem,) = problems
    assert (problem.name, problem.got, problem.wanted) == (name, text, wanted)
    sentence = problem.sentence()
    assert sentence.startswith(f"The link asks for {name} = “{text[:40]}”. ")
    assert sentence.endswith(f" It must be {wanted}, so “{problem.used}” is used.")
    assert len(sentence) < 150
    # What is said is what is used.
    assert read(**{name: problem.used}) == (found, [])


def test_a_long_text_is_cut_and_said():
    found, (problem,) = read(text="a" * (MAX_TEXT + 1))
    assert found.text == "a" * MAX_TEXT
    assert problem.wanted == "at most 20,000 characters"
    assert problem.sentence().endswith(", so it was cut.")
    assert read(text="a" * MAX_TEXT)[1] == []


def test_a_text_is_measured_before_it_is_matched():
    """So that what reads it meets nothing longer."""
    met = []

    @dataclass(frozen=True, slots=True)
    class Read:
        text: str = param("", pattern=met.append, form="short", high=10)

    _found, (problem,) = parse(Read, {"text": "a" * 11})
    assert (problem.wanted, met) == ("at most 10 characters", [])
    _found, (problem,) = parse(Read, {"text": "a" * 10})
    assert (problem.wanted, met) == ("short", ["a" * 10])


def test_what_reads_a_text_says_whether_it_means_something():
    assert read(even="ab")[0].even == "ab"
    found, (problem,) = read(even="abc")
    assert (found.even, problem.wanted) == ("", "even")


def test_what_nothing_takes_the_place_of_was_left_out():
    @dataclass(frozen=True, slots=True)
    class Drawn:
        picture: str = param("", pattern="|[0-9]+", form="digits")

    _found, (problem,) = parse(Drawn, {"picture": "<img>"})
    assert problem.sentence("Picture") == (
        "The link asks for Picture = “<img>”. It must be digits, so it was left out."
    )


def test_half_a_surrogate_pair_is_no_text():
    """JSON in a packed link can say it; a tokenizer cannot take it."""
    found, problems = read(text="a\ud800b")
    assert found.text == "a?b"
    assert problems == []


@given(st.dictionaries(st.sampled_from([f.name for f in dataclasses.fields(Example)]), st.text()))
def test_whatever_a_link_says_the_parameters_are_in_range(values):
    found, problems = parse(Example, values)
    assert 0 <= found.layer <= 11
    assert 0 <= found.share <= 1
    assert found.kind in ("learned", "rotary")
    found.text.encode()
    for problem in problems:
        assert problem.sentence()
    assert parse(Example, to_query(found)) == (found, [])


@given(
    st.builds(
        Example,
        text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
        layer=st.integers(0, 11),
        share=st.integers(0, 1000).map(lambda n: n / 1000),
        exact=st.booleans(),
        kind=st.sampled_from(["learned", "rotary"]),
    )
)
def test_a_link_says_what_differs_from_the_default_and_is_read_back(params):
    said = to_query(params)
    assert all(isinstance(value, str) for value in said.values())
    assert set(said) == {
        field.name
        for field in dataclasses.fields(Example)
        if getattr(params, field.name) != field.default
    }
    assert parse(Example, said) == (params, [])
