"""Every machine has something that it can be tried with, whatever it reads."""

from __future__ import annotations


def test_every_machine_has_something_to_be_tried_with(machine):
    assert machine.prepare(machine.example).streams
    assert machine.prepare(machine.fitted(machine.example).given).streams
