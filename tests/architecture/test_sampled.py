"""What a whole run leaves out is there, and nothing of what it is run for."""

from __future__ import annotations

from tests.architecture.tree import texts
from tests.sampled import LONG, ONE_IN

LEFT_OUT = [name.partition("::") for name in (*ONE_IN, *LONG)]
# The names of Streamlit's page, the private functions that are hooked into, and the state.
OF_STREAMLIT = {
    "app/test_connections.py", "app/test_visiting.py", "browser/test_hooks.py",
    "browser/test_state.py",
}  # fmt: skip


def test_every_name_is_that_of_a_test():
    lost = [
        (file, name)
        for file, _sign, name in LEFT_OUT
        if f"\ndef {name}(" not in texts().get(f"tests/{file}", "")
    ]
    assert lost == []


def test_what_a_new_streamlit_could_break_is_in_every_run():
    assert {f"tests/{file}" for file in OF_STREAMLIT} <= texts().keys()
    assert {file for file, _sign, _name in LEFT_OUT} & OF_STREAMLIT == set()
