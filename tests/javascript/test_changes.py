"""What a change of the panel "What if" makes of the link."""

from __future__ import annotations

import pytest

from core.models import what_if
from core.text import swaps

FILE = "whatif/changes.js"
ROW = "layer0.head1.row4.key2."
STATE = {"off": f"layer0.ffn+{ROW}weight0.5", "swap": "1~cat~dog"}
TEXT = "the cat sat on the mat"


def test_what_is_turned_goes_and_comes_back(call):
    there = f"layer0.ffn+{ROW}weight0.5+layer1.head0"
    cases = [[STATE, "layer1.head0", 8], [STATE, "layer0.ffn", 8], [{}, "layer0.ffn", 8],
             [{"off": "layer0.ffn"}, "layer0.ffn", 8]]  # fmt: skip
    assert call(FILE, "turned", cases) == [
        {"off": there}, {"off": f"{ROW}weight0.5"}, {"off": "layer0.ffn"}, {"off": None},
    ]  # fmt: skip
    assert call(FILE, "undone", [[STATE, "1~cat~dog"], [STATE, "layer0.ffn"]]) == [
        {"off": STATE["off"], "swap": None}, {"off": f"{ROW}weight0.5", "swap": "1~cat~dog"},
    ]  # fmt: skip


def test_a_number_takes_the_place_of_the_one_before(call):
    def set_to(state, base, kind, value):
        (found,) = call(FILE, "setTo", [[state, {"base": base, "kind": kind, "value": value}, 8]])
        return found

    assert set_to(STATE, ROW, "score", -1.5) == {"off": f"layer0.ffn+{ROW}score-1.5"}
    assert set_to(STATE, "", "temperature", 0.5)["off"].endswith("+temperature0.5")
    warm = {"off": "temperature0.5"}
    assert set_to(warm, "", "temperature", 2) == {"off": "temperature2"}
    assert set_to(warm, "", "temperature", 1) == {"off": None}
    assert set_to(warm, ROW, "weight", 1 / 3) == {"off": f"temperature0.5+{ROW}weight0.333"}


@pytest.mark.parametrize(
    ("base", "kind", "value"),
    [(ROW, "weight", 0), (ROW, "weight", 1), (ROW, "weight", 1 / 3), (ROW, "weight", 1e-9),
     (ROW, "score", -20), (ROW, "score", 7.1), ("", "temperature", 0.1), ("", "temperature", 3)],
)  # fmt: skip
def test_what_is_set_is_a_change_that_a_link_can_say(call, base, kind, value):
    (found,) = call(FILE, "setTo", [[{}, {"base": base, "kind": kind, "value": value}, 8]])
    change = what_if.read(found["off"])
    assert change is not None
    assert (change.kind, change.value) == (kind, pytest.approx(value, abs=5e-4))


def test_a_word_is_swapped_once_and_for_itself_not_at_all(call):
    def swap(n, was, new):
        (found,) = call(FILE, "swapped", [[STATE, {"n": n, "was": was, "new": new}, 4]])
        return found

    assert swap(1, "cat", "bird")["swap"] == "1~cat~bird"
    assert swap(1, "cat", "cat")["swap"] is None
    two = swap(5, "mat", " sofa ")
    assert two == {"swap": "1~cat~dog~~5~mat~sofa", "token": None, "source_token": None}
    assert [one.new for one in swaps.read(two["swap"], TEXT)] == ["dog", "sofa"]
    for wrong in ("a~b", " ", "", "a\nb"):
        assert swap(1, "cat", wrong) == {}


def test_no_more_than_so_many_at_once(call):
    full = {"off": "+".join(f"layer{n}.ffn" for n in range(8)),
            "swap": "~~".join(f"{n}~a~b" for n in range(4))}  # fmt: skip
    more, fewer = call(FILE, "turned", [[full, "layer9.ffn", 8], [full, "layer0.ffn", 8]])
    assert more == {}
    assert fewer["off"].count("+") == 6
    said = {"base": ROW, "kind": "weight", "value": 0.5}
    assert call(FILE, "setTo", [[full, said, 8]]) == [{}]
    assert call(FILE, "swapped", [[full, {"n": 9, "was": "a", "new": "b"}, 4]]) == [{}]


def test_the_temperature_is_read_as_the_link_says_it(call):
    states = [{}, {"off": "temperature0.5"}, {"off": "layer0.ffn+temperature2+layer1.ffn"}, STATE]
    assert call(FILE, "heatOf", [[one] for one in states]) == [1, 0.5, 2, 1]
