"""What may lie in the tree: names, sizes, references, and the browser's side."""

from __future__ import annotations

import posixpath
import re

from tests.architecture.tree import files, texts, under

LARGEST = 45_000_000
COMPONENTS = "assets/components/"
# Names under which anything could be put.
DRAWERS = {"common", "helper", "helpers", "misc", "shared", "util", "utilities", "utils"}
# Hostile input of a test, which is there because it points outside.
HOSTILE = {("tests/test_language.py", "../../etc")}
# Namespaces are names, not addresses.
NAMESPACES = ("http://www.w3.org/",)
# A browser's own ways to fetch, to load more code, and to make markup or code of text.
NOT_IN_SCRIPTS = {
    "fetches": r"\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|\bsendBeacon\b",
    "loads code": r"^\s*import\b(?!.* from \"\.)|\bimport\s*\(|\bimportScripts\b|\brequire\s*\(",
    "makes markup of text": r"\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b"
    r"|\bDOMParser\b|\bcreateContextualFragment\b",
    "runs text": r"\beval\s*\(|\bnew\s+Function\b",
    "computes like a model": r"\bMath\.(?:exp|expm1|log\w*|pow|sqrt|tanh)\b",
    "hooks into Streamlit": r"\bdata-testid\b|\bst[A-Z]\w+|\bst-key-|\bpopstate\b|\bpushState\b",
    "stores": r"\blocalStorage\b|\bsessionStorage\b|\bindexedDB\b|\bdocument\.cookie\b",
}
# The scripts that are there for it.
MAY = {
    # Figures ask for themselves; the menu under one asks for a file of it, in words.
    "fetches": {"shared/answers.js", "shared/save.js", "check/check.js"},
    # Few pages have plots, and what draws them is as large as all else together.
    "loads code": {"plotly/plotly.js"},
    # A learner may type √64, and not what it is.
    "computes like a model": {"shared/typed.js"},
    # What it relies on of Streamlit's page.
    "hooks into Streamlit": {"shared/streamlit.js"},
    # What a browser keeps of its user's wishes.
    "stores": {"shared/kept.js", "check/check.js"},
}


def outside(path: str, text: str) -> list[str]:
    """Directories of somebody's machine that a text names, or ways out of the tree."""
    # Not the end of a longer path or of an address.
    machine = re.findall(
        r"(?<![\w.:/~-])(?:~|/(?:home|media|mnt|root|srv|tmp|Users|work|workspace))/[\w.-]+", text
    )
    drives = re.findall(r"\b[A-Z]:\\\w{2,}", text)
    ways = re.findall(r"(?<![\w./])(?:\.\./)+[\w-][\w.-]*", text)
    folder = posixpath.dirname(path)
    out = [way for way in ways if posixpath.normpath(f"{folder or '.'}/{way}").startswith("..")]
    return [one for one in (*machine, *drives, *out) if (path, one) not in HOSTILE]


def addresses(text: str) -> list[str]:
    """Where a script or style sheet points on the network."""
    found = re.findall(r"(?:https?:|wss?:)//[^\s\"'`)]+|url\(\s*[\"']?//[^)]+|@import\b.*", text)
    return [one for one in found if not one.startswith(NAMESPACES)]


def sent(*endings: str) -> dict[str, str]:
    """What the browser is given: each file's text by its path."""
    return {p: t for p, t in texts().items() if p.startswith("assets/") and p.endswith(endings)}


def code() -> dict[str, str]:
    """Of each script what is no comment; a ``//`` inside a string or an address is none."""
    comment = re.compile(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", re.S)
    return {path: comment.sub("", text) for path, text in sent(".js").items()}


def test_files_are_small_enough_to_be_shipped():
    assert {"README.md", ".ci/run"} <= texts().keys()
    assert [path for path in files() if path.is_symlink() or path.stat().st_size > LARGEST] == []


def test_no_file_is_a_drawer():
    python = [path for path in texts() if path.endswith(".py")]
    assert [path for path in python if DRAWERS & {*path.removesuffix(".py").split("/")}] == []


def test_nothing_refers_to_a_place_outside():
    found = {path: outside(path, text) for path, text in texts().items()}
    assert {path: what for path, what in found.items() if what} == {}


def test_tests_mirror_the_core():
    packages = {m.name.split(".")[1] for m in under("core") if m.name.count(".") == 2}
    modules = {m.name.split(".")[1] for m in under("core") if m.name.count(".") == 1} - packages
    tests = texts()
    without = [p for p in packages if not any(t.startswith(f"tests/{p}/test_") for t in tests)]
    assert without == []
    assert [m for m in modules if f"tests/test_{m}.py" not in tests] == []


def test_a_component_is_a_folder_with_a_script_of_its_name():
    inside = [path.removeprefix(COMPONENTS) for path in texts() if path.startswith(COMPONENTS)]
    assert [one for one in inside if not re.fullmatch(r"[^/]+/[^/]+\.(js|css)", one)] == []
    folders = {path.split("/")[0] for path in inside} - {"shared"}
    assert {f"{name}/{name}.js" for name in folders} <= set(inside)


def test_scripts_draw_and_do_nothing_else():
    for what, sign in NOT_IN_SCRIPTS.items():
        does = {path for path, script in code().items() if re.search(sign, script, re.M)}
        assert does == {f"{COMPONENTS}{path}" for path in MAY.get(what, ())}, what


def test_scripts_hold_no_prose():
    """Sentences that nobody could translate."""
    prose = re.compile(r"[\"'`]([A-Z][a-z]+(?: [a-z]+)+)")
    found = {path: prose.findall(script) for path, script in code().items()}
    assert {path: what for path, what in found.items() if what} == {}


def test_one_style_sheet_names_parts_of_streamlits_page():
    sheets = {p for p, t in sent(".css").items() if re.search(r"data-testid|\bst[A-Z]\w+", t)}
    assert sheets == {"assets/streamlit.css"}


def test_the_browser_is_sent_nowhere():
    assert {p: addresses(t) for p, t in sent(".css", ".js").items() if addresses(t)} == {}
