"""What may be changed of a figure: as declared, as its view says, and as the browser draws it."""

from __future__ import annotations

from dataclasses import dataclass

from core.views.controls import Control, Press, controls_of
from core.views.params import param


@dataclass(frozen=True)
class Params:
    """Of every kind."""

    way: str = param("a", choices={"a": "One", "b": "Two"})
    n: int = param(3, low=1, high=9)
    share: float = param(0.5, low=0, high=1)
    on: bool = param(default=False)
    said: str = param("", pattern=r".*", high=20)
    token: int = param(-1, low=-1, high=9, lives="browser")


def drawn(*own: Control) -> dict[str, dict]:
    return {one["name"]: one for one in controls_of(Params(), own, None)}


def test_what_was_declared_says_which_kind_it_is():
    kinds = {name: one["kind"] for name, one in drawn().items()}
    assert kinds == {"way": "choice", "n": "range", "share": "range", "on": "switch",
                     "said": "line"}  # fmt: skip
    assert drawn()["way"]["options"] == [("a", "One"), ("b", "Two")]
    assert (drawn()["n"]["low"], drawn()["n"]["high"], drawn()["n"]["whole"]) == (1, 9, True)


def test_a_view_says_what_its_run_has():
    assert [value for value, _said in drawn(Control.numbered("n", 1, 3))["n"]["options"]] == [
        "0", "1", "2",
    ]  # fmt: skip
    assert "n" not in drawn(Control.none("n"))
    assert "n" not in drawn(Control.numbered("n", 0, 1))  # of one there is nothing to choose


def test_a_button_sets_what_it_says_and_none_is_no_row():
    own = Control("go", "", "buttons", label="Go on", buttons=[
        Press("On", {"n": "4", "said": None}, chosen=True),
        Press("Pay", {"n": "5"}, able=False, of="way"),
    ])  # fmt: skip
    assert drawn(own)["go"] == {
        "name": "go", "kind": "buttons", "value": "", "label": "Go on",
        "buttons": [
            {"label": "On", "sets": {"n": "4", "said": None}, "chosen": True, "able": True,
             "of": ""},
            {"label": "Pay", "sets": {"n": "5"}, "chosen": False, "able": False, "of": "way"},
        ],
    }  # fmt: skip
    assert "go" not in drawn(Control("go", "", "buttons"))


def test_two_controls_may_set_one_parameter():
    own = Control("said", "x", "line", key="first", label="First", writes="{} and more")
    found = drawn(own)
    assert found["first"]["sets"] == "said"
    assert found["first"]["writes"] == "{} and more"
    assert found["first"]["label"] == "First"
