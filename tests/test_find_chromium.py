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


SHELL = "chromium-headless-shell"


def installs(*packages: str) -> str:
    """An apt-get that has these packages, once it has been updated; what it does is in a file."""
    cases = "".join(f'{name}) : > "$HERE/{name}";; ' for name in packages)
    return f"""echo noise; echo "$*" >> "$HERE/did"
if [ "$1" = update ]; then : > "$HERE/list"; exit 0; fi
[ -f "$HERE/list" ] || exit 100
for package; do :; done
case $package in {cases}*) exit 100;; esac; /bin/chmod +x "$HERE/$package"
"""


def test_the_headless_shell_comes_before_the_others(ask, tmp_path):
    done = ask(chromium_headless_shell="", chromium="", id="echo 0", apt_get="exit 100")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / SHELL}\n", "")


@pytest.mark.parametrize("name", ["chromium", "chromium_browser", "google_chrome"])
def test_another_that_is_there_will_do(ask, tmp_path, name):
    found = f"{tmp_path / name.replace('_', '-')}\n"
    done = ask(**{name: ""}, id="echo 1000", apt_get="echo never >&2")
    assert (done.returncode, done.stdout, done.stderr) == (0, found, "")
    # Root gets the shell at once or not at all.
    done = ask(**{name: ""}, id="echo 0", apt_get=installs(SHELL))
    assert (done.returncode, done.stdout) == (0, found)
    assert "update" not in (tmp_path / "did").read_text()
    (tmp_path / "list").touch()
    done = ask(**{name: ""}, id="echo 0", apt_get=installs(SHELL))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / SHELL}\n")


@pytest.mark.parametrize("package", [SHELL, "chromium"])
def test_root_installs_what_there_is_and_only_its_path_is_printed(ask, tmp_path, package):
    done = ask(id="echo 0", apt_get=installs(package))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / package}\n")
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
