"""DESIGN's rules about what code does, as far as its syntax shows it and ruff does not."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from core import errors
from tests.architecture.tree import Module, broken, dotted, modules, under

# What reads, draws, seeds, prints or reaches for a device when it is called.
DOES = frozenset(
    {"open", "print", "input", "read_text", "read_bytes", "read", "load", "load_file", "load_model",
     "from_file", "from_pretrained", "manual_seed", "seed", "set_num_threads", "default_rng",
     "set_default_dtype", "rand", "randn", "cuda", "to", "run", "system", "filterwarnings"}
)  # fmt: skip
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
SETTERS = ("setattr", "self.register_buffer", "self.register_parameter")
LONGEST_FUNCTION = 40
APP = under("app", "core", "pages")


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Everything that runs when the module is imported: no function's body."""
    yield node
    if isinstance(node, FUNCTIONS | ast.Lambda):
        parts = [node.args, *getattr(node, "decorator_list", [])]
    elif isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
        parts = []
    else:
        parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from at_import(part)


def done_at_import(module: Module) -> list[str]:
    """Things loaded, seeded or printed by importing."""
    return [
        ast.unparse(node)
        for node in at_import(module.tree)
        if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        or (isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in DOES)
    ]


def too_long(module: Module) -> list[str]:
    """Functions that nobody takes in at a glance; a docstring is not counted."""
    found = []
    for function in module.nodes:
        if isinstance(function, FUNCTIONS):
            body = function.body[1:] if ast.get_docstring(function) else function.body
            said = function.body[0].end_lineno - function.body[0].lineno + 1
            long = function.end_lineno - function.lineno + 1 - said * (body != function.body)
            found += [f"{function.name}: {long} lines"] * (long > LONGEST_FUNCTION)
    return found


def unbounded_caches(module: Module) -> list[str]:
    """Caches that grow with every new argument; without arguments there is one entry."""
    found = []
    for function in (node for node in module.nodes if isinstance(node, FUNCTIONS)):
        takes = any(isinstance(node, ast.arg) for node in ast.walk(function.args))
        for mark in map(ast.unparse, function.decorator_list):
            name = mark.split("(")[0].split(".")[-1]
            endless = {
                "cache": True,
                "lru_cache": "(None" in mark or "maxsize=None" in mark,
                "cache_data": "max_entries=" not in mark,
                "cache_resource": "max_entries=" not in mark,
            }
            found += [f"{function.name}: {mark}"] * (takes and endless.get(name, False))
    return found


def run_as_code(module: Module) -> list[str]:
    """Modules that are imported unseen, text that is compiled, arrays that may be objects."""
    return [
        ast.unparse(node)
        for node in module.nodes
        if isinstance(node, ast.Call)
        if ast.unparse(node.func) in ("__import__", "compile")
        or any(ast.unparse(one) == "allow_pickle=True" for one in node.keywords)
    ]


def kept_between_calls(module: Module) -> list[str]:
    """What a method other than ``__init__`` stores on its object."""
    found = []
    for method in (node for node in module.nodes if isinstance(node, FUNCTIONS)):
        if method.name in ("__init__", "__post_init__"):
            continue
        for node in ast.walk(method):
            stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
            on = node
            while isinstance(on, ast.Subscript):
                on = on.value
            set_by = dotted(node.func) if isinstance(node, ast.Call) else ""
            if (stored and dotted(on).startswith("self.")) or set_by in SETTERS:
                found.append(f"{method.name}: {ast.unparse(node)}")
    return found


def doubled_where_it_lies(module: Module) -> list[str]:
    """Tensors made float64 before they are on the CPU: Apple's GPUs have no float64."""
    found = []
    for call in (node for node in module.nodes if isinstance(node, ast.Call)):
        given = {one.arg: ast.unparse(one.value) for one in call.keywords}
        named = {"torch.float64", "torch.double"} & {*map(ast.unparse, call.args), *given.values()}
        on, _, method = ast.unparse(call.func).rpartition(".")
        converts = (method == "double" and not call.args) or (method in ("to", "type") and named)
        elsewhere = named and given.get("device", "'cpu'") != "'cpu'"
        if elsewhere or (converts and ".cpu()" not in on):
            found.append(ast.unparse(call))
    return found


def classes(module: Module) -> Iterator[ast.ClassDef]:
    return (node for node in module.nodes if isinstance(node, ast.ClassDef))


def open_configs(module: Module) -> list[str]:
    """Configs that can be changed after they were checked."""
    return [
        one.name
        for one in classes(module)
        if one.name.endswith("Config") and "Protocol" not in map(dotted, one.bases)
        if "frozen=True" not in "".join(map(ast.unparse, one.decorator_list))
    ]


def test_nothing_is_done_at_import():
    """A page is a script: Streamlit runs it, nothing imports it."""
    apart = ("pages.parts", "pages.server")
    imported = [m for m in APP if not m.name.startswith("pages.") or m.name.startswith(apart)]
    assert broken(done_at_import, imported) == {}


def test_functions_are_short():
    assert broken(too_long, APP) == {}


def test_caches_are_bounded():
    assert broken(unbounded_caches, APP) == {}


def test_no_text_becomes_code():
    assert broken(run_as_code, APP) == {}


def test_models_keep_nothing_between_calls():
    """A key-value cache is an argument, and the one thing a forward pass may fill."""
    layers = [m for m in under("core.nn", "core.models") if m.name != "core.nn.kv_cache"]
    assert broken(kept_between_calls, layers) == {}


def test_only_layers_with_a_fused_twin_ask_whether_they_are_watched():
    """Equations on one side, a fused kernel on the other, and a test that both give the same."""
    asks = {module.name for module in under("core") if "tap.active" in module.text}
    assert asks == {"core.decoding.one_row", "core.nn.attention", "core.nn.norms"}


def test_only_the_cpu_computes_in_float64():
    assert broken(doubled_where_it_lies, APP) == {}


def test_configs_are_frozen():
    assert broken(open_configs, under("core")) == {}


def test_all_errors_of_a_user_stand_in_one_tree():
    ends = ("Error", "Exception")
    raised = {m.name for m in under("core") for one in classes(m)
              if any(dotted(base).endswith(ends) for base in one.bases)}  # fmt: skip
    assert raised == {"core.errors"}
    known = [getattr(errors, one.name) for one in classes(modules()["core.errors"])]
    assert [one for one in known if not issubclass(one, errors.CoreError)] == []


def test_a_class_has_its_name_to_itself():
    names = Counter(one.name for module in APP for one in classes(module))
    assert [name for name, n in names.items() if n > 1] == []
