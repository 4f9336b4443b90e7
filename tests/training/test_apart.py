"""Training stands apart: nothing that the app imports knows of it, but how rates go."""

from __future__ import annotations

from tests.architecture.tree import imports, modules

PLAIN = "core.training.schedules"  # formulas that a page shows, too


def test_only_training_and_its_tests_import_training():
    knows = {
        module.name
        for module in modules().values()
        for one in imports(module)
        if one.of.startswith("core.training") and one.of != PLAIN and one.when != "typing"
    }
    assert "core.training.__main__" in knows
    assert {name for name in knows if not name.startswith(("core.training", "tests."))} == set()


def test_how_rates_go_is_plain_arithmetic():
    known = {one.of.split(".")[0] for one in imports(modules()[PLAIN])}
    assert "torch" not in known
    assert not any(one.of.startswith("core.training") for one in imports(modules()[PLAIN]))
