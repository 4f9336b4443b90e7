"""What is installed is what was tested: constraints.txt holds a version of everything required."""

from __future__ import annotations

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.tree import ROOT


def lines_of(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


PINNED = {
    canonicalize_name(one.name): one.specifier
    for one in map(Requirement, lines_of("constraints.txt"))
}
REQUIRED = [*lines_of("requirements.txt"), *lines_of("requirements-dev.txt")]


@pytest.mark.parametrize("line", [one for one in REQUIRED if not one.startswith("torch==")])
def test_one_version_of_it_is_named_and_is_one_that_may_do(line):
    wanted = Requirement(line)
    (pinned,) = PINNED[canonicalize_name(wanted.name)]
    assert pinned.operator == "=="
    assert wanted.specifier.contains(pinned.version)


def test_the_build_of_torch_is_left_to_the_machine():
    assert "torch" not in PINNED
