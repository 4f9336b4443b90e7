"""What may lie in the tree: names, sizes, references, and the browser's side."""

from __future__ import annotations

import posixpath
import re

import pytest

from tests.architecture.tree import ROOT, files, files_of, ignored, texts, under

MEGABYTE = 1_000_000
LARGEST = 45 * MEGABYTE
COMPONENTS = "assets/components/"
# Names under which anything could be put.
DRAWERS = frozenset({"common", "helper", "helpers", "misc", "shared", "util", "utilities", "utils"})
# Hostile input of a test, which is there because it points outside.
HOSTILE = frozenset({("tests/test_language.py", "../../etc")})
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
STREAMLITS = re.compile(r"data-testid|\bst[A-Z]\w+")  # in a style sheet
MAY = {
    # Figures ask for themselves; the menu under one asks for a file of it, in words.
    "fetches": (
        "assets/components/shared/answers.js",
        "assets/components/shared/save.js",
        "assets/components/check/check.js",
    ),
    # Few pages have plots, and what draws them is as large as all else together.
    "loads code": ("assets/components/plotly/plotly.js",),
    # A learner may type √64, and not what it is.
    "computes like a model": ("assets/components/shared/typed.js",),
    # What it relies on of Streamlit's page.
    "hooks into Streamlit": ("assets/components/shared/streamlit.js",),
    # What a browser keeps of its user's wishes.
    "stores": ("assets/components/shared/kept.js", "assets/components/check/check.js"),
}


def drawer(path: str) -> bool:
    """A Python file or folder named for nothing in particular."""
    parts = path.removesuffix(".py").split("/")
    return path.endswith(".py") and any(part in DRAWERS for part in parts)


def outside(path: str, text: str) -> list[str]:
    """Directories of somebody's machine that a text names, or ways out of the tree."""
    # Not the end of a longer path or of an address.
    machine = re.findall(
        r"(?<![\w.:/~-])(?:~|/(?:home|media|mnt|root|srv|tmp|Users|work|workspace))/[\w.-]+", text
    )
    drives = re.findall(r"\b[A-Z]:\\\w{2,}", text)
    ways = re.findall(r"(?<![\w./])(?:\.\./)+[\w-][\w.-]*", text)
    out = [
        way
        for way in ways
        if posixpath.normpath(f"{posixpath.dirname(path)}/{way}").lstrip("/").startswith("..")
        or posixpath.normpath(posixpath.join(posixpath.dirname(path), way)).startswith("..")
    ]
    return [one for one in (*machine, *drives, *out) if (path, one) not in HOSTILE]


def addresses(text: str) -> list[str]:
    """Where a script or style sheet points on the network."""
    found = re.findall(r"(?:https?:|wss?:)//[^\s\"'`)]+|url\(\s*[\"']?//[^)]+|@import\b.*", text)
    return [one for one in found if not one.startswith(NAMESPACES)]


def uncommented(script: str) -> str:
    """The code of a script; a ``//`` inside a string or an address is not a comment."""
    return re.sub(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*", "", script, flags=re.S)


def misdeeds(script: str, path: str = "") -> list[str]:
    """What a component's script must not do, but for the one that is there for it."""
    code = uncommented(script)
    found = [what for what, sign in NOT_IN_SCRIPTS.items() if re.search(sign, code, re.M)]
    return [what for what in found if path not in MAY.get(what, ())]


def prose(script: str) -> list[str]:
    """Sentences in a script, which nobody could translate."""
    return re.findall(r"[\"'`]([A-Z][a-z]+(?: [a-z]+)+)", uncommented(script))


# --- the tree ------------------------------------------------------------------------


def test_there_is_something_to_check():
    local = {path.relative_to(ROOT).as_posix() for path in files()}
    assert {"README.md", ".ci/run", ".gitignore", "core/nn/attention.py"} <= local
    assert not any(path.startswith((".git/", ".venv/", "runs/")) for path in local)


def test_files_are_small_enough_to_be_shipped():
    large = {p.relative_to(ROOT).as_posix(): p.stat().st_size for p in files()}
    assert {path: size for path, size in large.items() if size >= LARGEST} == {}


def test_every_file_is_a_file():
    assert [path for path in files() if path.is_symlink()] == []


def test_no_file_is_a_drawer():
    assert [path for path in texts() if drawer(path)] == []


def test_nothing_refers_to_a_place_outside():
    apart = "tests/architecture/test_files.py"  # holds what is forbidden, as examples
    found = {path: outside(path, text) for path, text in texts().items() if path != apart}
    assert {path: what for path, what in found.items() if what} == {}


def test_tests_mirror_the_core():
    packages = {m.name.split(".")[1] for m in under("core") if m.name.count(".") == 2}
    modules = {m.name.split(".")[1] for m in under("core") if m.name.count(".") == 1} - packages
    tests = texts()
    without = [p for p in packages if not any(t.startswith(f"tests/{p}/test_") for t in tests)]
    assert without == []
    assert [m for m in modules if f"tests/test_{m}.py" not in tests] == []


def scripts() -> dict[str, str]:
    return {p: t for p, t in texts().items() if p.startswith("assets/") and p.endswith(".js")}


def test_a_component_is_a_folder_with_a_script_of_its_name():
    inside = [path.removeprefix(COMPONENTS) for path in texts() if path.startswith(COMPONENTS)]
    assert [path for path in inside if path.count("/") != 1] == []
    assert [path for path in inside if not path.endswith((".js", ".css"))] == []
    folders = {path.split("/")[0] for path in inside} - {"shared"}
    assert {"matrix", "token_strip"} <= folders
    assert {f"{name}/{name}.js" for name in folders} <= set(inside)


def test_scripts_draw_and_do_nothing_else():
    assert {path: misdeeds(t, path) for path, t in scripts().items() if misdeeds(t, path)} == {}
    for what, paths in MAY.items():
        assert [path for path in paths if what not in misdeeds(scripts()[path])] == []


def test_scripts_hold_no_prose():
    assert {path: prose(t) for path, t in scripts().items() if prose(t)} == {}


def test_one_style_sheet_names_parts_of_streamlits_page():
    sheets = {p for p, t in texts().items() if p.endswith(".css") and STREAMLITS.search(t)}
    assert sheets == {"assets/streamlit.css"}


def test_the_browser_is_sent_nowhere():
    sent = {
        p: t for p, t in texts().items() if p.startswith("assets/") and p.endswith((".css", ".js"))
    }
    assert len(sent) > 20
    assert {path: addresses(t) for path, t in sent.items() if addresses(t)} == {}


# --- the rules themselves: each finds the mistake it is there for --------------------


@pytest.mark.parametrize("path", ["core/utils.py", "tests/helpers.py", "core/common/masks.py"])
def test_a_drawer_is_found(path):
    assert drawer(path)
    assert not drawer("core/nn/masks.py")
    assert not drawer("assets/components/shared.js")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "Read ../notes/CORPORA.md first."),
        ("README.md", "[corpora](../corpora/README.md)"),
        ("core/zoo.py", 'SHELF = "/home/anna/models"'),
        ("core/zoo.py", "cache = Path('/tmp/cache')"),
        ("core/zoo.py", "--corpora ../../data"),
        ("Makefile", "cd ~/glassformer && make"),
        ("core/nn/masks.py", r"'C:\Users\anna'"),
        ("tests/app/test_pages.py", "../../../pages/frame.py"),
    ],
)
def test_a_way_out_is_found(path, text):
    assert len(outside(path, text)) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "[the cards](assets/zoo/gpt/card.md), http://localhost:8501/home/x"),
        ("tests/app/test_pages.py", 'AppTest.from_file("../../pages/frame.py")'),
        ("tests/browser/find-chromium", "/usr/bin/chromium"),
        ("core/text/bpe.py", "and/or/home/x, tokens ... and so on"),
    ],
)
def test_a_way_inside_is_not(path, text):
    assert outside(path, text) == []


@pytest.mark.parametrize(
    "text",
    [
        'const logo = "https://cdn.example.org/logo.svg";',
        "src: url('//fonts.example.org/a.woff2')",
        '@import "https://example.org/a.css";',
        'new WebSocket("ws://example.org")',
        'import x from "https://example.org/w3.org.js";',
    ],
)
def test_an_address_is_found(text):
    assert addresses(text) != []
    assert addresses('createElementNS("http://www.w3.org/2000/svg", "g")') == []


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ('fetch("data.json")', "fetches"),
        ("new XMLHttpRequest()", "fetches"),
        ('import { el } from "elsewhere";', "loads code"),
        ('import "/components/a.js";', "loads code"),
        ('const m = await import("./a.js");', "loads code"),
        ("host.innerHTML = text;", "makes markup of text"),
        ('eval("1")', "runs text"),
        ("const p = Math.exp(x);", "computes like a model"),
        ('localStorage.setItem("a", 1)', "stores"),
        ("document.querySelector('[data-testid=\"stMain\"]')", "hooks into Streamlit"),
        ('root.querySelector(".stMain")', "hooks into Streamlit"),
        ('history.pushState({}, "", page)', "hooks into Streamlit"),
    ],
)
def test_a_misdeed_is_found(script, what):
    assert misdeeds(script) == [what]
    assert misdeeds(f"// {script}\n/* {script} */\nel('div').textContent = text;") == []


def test_a_module_beside_is_no_misdeed():
    assert misdeeds('import { el } from "../shared/dom.js";\nimport a from "./a.css.js";') == []


def test_prose_is_found():
    assert prose('button.title = "Copy the link";') == ["Copy the link"]
    assert prose('el("div", { class: "row wide" }); // "Copy the link"') == []


def test_what_git_ignores_is_left_out(tmp_path):
    (tmp_path / ".gitignore").write_text(
        "# none of these\nruns/\n/out/\n*.pyc\ntests/artefacts/\n.env\n"
    )
    kept = [
        "a.py",
        "core/runs.py",
        "artefacts/b.txt",
        "core/.env.example",
        ".ci/run",
        "core/out/d.py",
    ]
    dropped = [".git/config", "runs/a.py", "core/runs/a.py", "core/a.pyc", "tests/artefacts/c.txt",
               "core/.env", "out/a.py"]  # fmt: skip
    for name in (*kept, *dropped):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = {path.relative_to(tmp_path).as_posix() for path in files_of(tmp_path)}
    assert found == {*kept, ".gitignore"}
    assert not ignored("tests/artefacts", ["tests/artefacts/"])  # a file of that name
