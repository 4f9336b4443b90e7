"""The script that the Makefile asks for a browser: what it finds, installs, and says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "browser" / "find-chromium"


@pytest.fixture
def ask(tmp_path):
    """Run the script with nothing but these commands on its PATH, each a line of shell."""

    def run(named: str = "", /, **commands: str) -> subprocess.CompletedProcess[str]:
        for name, line in commands.items():
            path = tmp_path / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{line}\n")
            path.chmod(0o755)
        return subprocess.run(
            ["/bin/sh", SCRIPT], capture_output=True, text=True, check=False,
            env={"PATH": str(tmp_path), "HERE": str(tmp_path), "CHROMIUM": named},
        )  # fmt: skip

    return run


def test_the_one_that_was_named_comes_first(ask, tmp_path):
    done = ask(str(tmp_path / "mine"), mine="", chromium="")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'mine'}\n")
    done = ask(str(tmp_path / "none"), chromium="")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"CHROMIUM={tmp_path / 'none'} is not a program\n"


@pytest.mark.parametrize("name", ["chromium", "chromium_browser", "google_chrome"])
def test_one_that_is_there_is_found(ask, tmp_path, name):
    done = ask(**{name: ""}, id="echo 0", apt_get="exit 100")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / name.replace('_', '-')}\n"


def test_root_installs_it_and_only_its_path_is_printed(ask, tmp_path):
    install = f'echo noise; [ "$1" = update ] || : > "{tmp_path}/chromium"; /bin/chmod +x $HERE/*'
    done = ask(id="echo 0", apt_get=install)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'chromium'}\n")
    assert "noise" in done.stderr


@pytest.mark.parametrize(
    ("who", "apt_get"),
    [
        (0, "exit 100"),
        (0, '[ "$1" = update ] || exit 100'),
        (0, "exit 0"),
        (1000, "echo never >&2"),
    ],
    ids=["no list", "no package", "nothing came", "not root"],
)
def test_what_to_do_is_said_whatever_went_wrong(ask, who, apt_get):
    done = ask(id=f"echo {who}", apt_get=apt_get)
    assert (done.returncode, done.stdout) == (1, "")
    assert "make test CHROMIUM=/path/to/chromium" in done.stderr
    assert "never" not in done.stderr
