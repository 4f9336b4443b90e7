"""Training stands apart: nothing that the app imports knows of it."""

from __future__ import annotations

from tests.architecture.tree import imports, modules


def test_only_training_and_its_tests_import_training():
    knows = {
        module.name
        for module in modules().values()
        for one in imports(module)
        if one.of.startswith("core.training") and one.when != "typing"
    }
    assert "core.training.__main__" in knows
    assert {name for name in knows if not name.startswith(("core.training", "tests."))} == set()
