"""DESIGN's rules about what code does, as far as its syntax shows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.tree import Module, broken, dotted, modules, under

# What reads, draws, seeds, prints or reaches for a device when it is called.
DOES = frozenset(
    {"open", "print", "input", "read_text", "read_bytes", "read", "load", "load_file", "load_model",
     "from_file", "from_pretrained", "manual_seed", "seed", "set_num_threads", "default_rng",
     "set_default_dtype", "rand", "randn", "cuda", "to", "run", "system", "filterwarnings"}
)  # fmt: skip
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# Where a forward pass may ask whether it is watched: equations on one side, a fused kernel on the
# other, and a test that both give the same.
MAY_BRANCH = ("core.nn.attention", "core.nn.norms", "core.nn.one_row", "core.nn.recurrent")
SETTERS = ("setattr", "self.register_buffer", "self.register_parameter")
LONGEST_FUNCTION = 40
MAY_UNPICKLE = ("core.training.rundir",)


def calls(module: Module) -> Iterator[ast.Call]:
    return (node for node in module.nodes if isinstance(node, ast.Call))


def keyword(call: ast.Call, name: str) -> object:
    """The constant given to a keyword; None when it is not given."""
    for one in call.keywords:
        if one.arg == name:
            return one.value.value if isinstance(one.value, ast.Constant) else one.value
    return None


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


# --- the rules: each gives what a module breaks --------------------------------------


def without_docstring(module: Module) -> list[str]:
    """A file that says nothing of what it is for; an empty one has nothing to say."""
    has = not module.text.strip() or ast.get_docstring(module.tree)
    return [] if has else ["no docstring"]


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


def done_at_import(module: Module) -> list[str]:
    """Things loaded, seeded or printed by importing."""
    return [
        ast.unparse(node)
        for node in at_import(module.tree)
        if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        or (isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in DOES)
    ]


def unbounded_caches(module: Module) -> list[str]:
    """Caches that grow with every new argument."""
    found = []
    for function in module.nodes:
        if not isinstance(function, FUNCTIONS):
            continue
        a = function.args
        takes = any((*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg))
        for mark in map(ast.unparse, function.decorator_list):
            name = mark.split("(")[0].split(".")[-1]
            endless = {
                "cache": True,
                "lru_cache": "(None" in mark or "maxsize=None" in mark,
                "cache_data": "max_entries=" not in mark,
                "cache_resource": "max_entries=" not in mark,
            }
            # Without arguments there is one entry.
            found += [f"{function.name}: {mark}"] * (takes and endless.get(name, False))
    return found


def unpickled(module: Module) -> list[str]:
    """``torch.load`` but of training's own state, tensors only; and arrays that may be objects."""
    found = []
    for call in calls(module):
        name = ast.unparse(call.func)
        safe = module.name in MAY_UNPICKLE and keyword(call, "weights_only") is True
        if (name == "torch.load" and not safe) or keyword(call, "allow_pickle"):
            found.append(ast.unparse(call))
    return found


def evaluated(module: Module) -> list[str]:
    """Text that is run as code, or handed to a shell."""
    banned = ("eval", "exec", "compile", "os.system", "os.popen")
    return [
        ast.unparse(call)
        for call in calls(module)
        if ast.unparse(call.func) in banned or keyword(call, "shell")
    ]


def kept_between_calls(module: Module) -> list[str]:
    """What a method other than ``__init__`` stores on its object."""
    found = []
    for cls in module.nodes:
        methods = cls.body if isinstance(cls, ast.ClassDef) else []
        for method in methods:
            if not isinstance(method, FUNCTIONS) or method.name in ("__init__", "__post_init__"):
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


def watched(module: Module) -> list[str]:
    """Code that asks whether its tap records."""
    return [
        ast.unparse(node)
        for node in module.nodes
        if isinstance(node, ast.Attribute) and node.attr == "active" and "tap" in dotted(node)
    ]


def open_configs(module: Module) -> list[str]:
    """Configs that can be changed after they were checked."""
    return [
        cls.name
        for cls in module.nodes
        if isinstance(cls, ast.ClassDef)
        and cls.name.endswith("Config")
        and "Protocol" not in [dotted(base) for base in cls.bases]
        and not any(
            isinstance(mark, ast.Call)
            and dotted(mark.func) == "dataclass"
            and keyword(mark, "frozen") is True
            for mark in cls.decorator_list
        )
    ]


def exceptions(module: Module) -> list[str]:
    """Exception classes of a module."""
    return [
        cls.name
        for cls in module.nodes
        if isinstance(cls, ast.ClassDef)
        and any(dotted(base).endswith(("Error", "Exception")) for base in cls.bases)
    ]


def doubled_where_it_lies(module: Module) -> list[str]:
    """Tensors made float64 before they are on the CPU: Apple's GPUs have no float64."""
    found = []
    for call in calls(module):
        given = [ast.unparse(one) for one in (*call.args, *(k.value for k in call.keywords))]
        names_it = any(name in given for name in ("torch.float64", "torch.double"))
        on, method = call.func, getattr(call.func, "attr", "")
        converts = (method == "double" and not given) or (method in ("to", "type") and names_it)
        brought = False
        while isinstance(on, ast.Attribute | ast.Subscript | ast.Call):
            brought = brought or (isinstance(on, ast.Attribute) and on.attr == "cpu")
            on = on.func if isinstance(on, ast.Call) else on.value
        elsewhere = names_it and keyword(call, "device") not in (None, "cpu")
        if elsewhere or (converts and not brought):
            found.append(ast.unparse(call))
    return found


# --- the tree ------------------------------------------------------------------------

APP = under("app", "core", "pages")


def test_every_file_says_what_it_is_for():
    assert broken(without_docstring, under("app", "core", "pages", "tests")) == {}


def test_nothing_is_done_at_import():
    """A page is a script: Streamlit runs it, nothing imports it."""
    apart = ("pages.parts", "pages.server")
    imported = [m for m in APP if not m.name.startswith("pages.") or m.name.startswith(apart)]
    assert broken(done_at_import, imported) == {}


def test_functions_are_short():
    assert broken(too_long, APP) == {}


def test_caches_are_bounded():
    assert broken(unbounded_caches, APP) == {}


def test_nothing_is_unpickled():
    assert broken(unpickled, APP) == {}


def test_no_text_is_run_as_code():
    assert broken(evaluated, APP) == {}


def test_models_keep_nothing_between_calls():
    """A key-value cache is an argument, and the one thing a forward pass may fill."""
    layers = [m for m in under("core.nn", "core.models") if m.name != "core.nn.kv_cache"]
    assert broken(kept_between_calls, layers) == {}


def test_only_layers_with_a_fused_twin_ask_whether_they_are_watched():
    found = broken(watched, under("core"))
    assert set(found) <= set(MAY_BRANCH)
    assert "core.nn.attention" in found


def test_only_the_cpu_computes_in_float64():
    assert broken(doubled_where_it_lies, APP) == {}


def test_configs_are_frozen():
    assert broken(open_configs, under("core")) == {}


def test_all_errors_of_a_user_stand_in_one_tree():
    assert [m.name for m in under("core") if exceptions(m)] == ["core.errors"]
    classes = [n for n in modules()["core.errors"].tree.body if isinstance(n, ast.ClassDef)]
    known = {"CoreError"}
    for cls in classes[1:]:
        assert known & {dotted(base) for base in cls.bases}, cls.name
        known.add(cls.name)


# --- the rules themselves: each finds the mistake it is there for --------------------


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (without_docstring, "x = 1"),
        (without_docstring, "# a comment says it\nx = 1"),
        (done_at_import, "print('hello')"),
        (done_at_import, "MODEL = zoo.load('gpt')"),
        (done_at_import, "torch.manual_seed(0)"),
        (done_at_import, "TEXT = (Path('a') / 'b').read_text()"),
        (done_at_import, "class A:\n    x = np.random.default_rng(0)"),
        (done_at_import, "if FAST:\n    warnings.filterwarnings('ignore')"),
        (done_at_import, "def f(x=open('a')): ..."),
        (too_long, "def f():\n" + "    x = 1\n" * 40),
        (unbounded_caches, "@cache\ndef f(x): ..."),
        (unbounded_caches, "@functools.cache\ndef f(x): ..."),
        (unbounded_caches, "@lru_cache(maxsize=None)\ndef f(x): ..."),
        (unbounded_caches, "@lru_cache(None)\ndef f(x): ..."),
        (unbounded_caches, "@st.cache_data\ndef f(x): ..."),
        (unbounded_caches, "@st.cache_resource(show_spinner=False)\ndef f(*, x): ..."),
        (unpickled, "torch.load(path)"),
        (unpickled, "torch.load(path, weights_only=True)"),  # outside training
        (unpickled, "np.load(path, allow_pickle=True)"),
        (evaluated, "eval(text)"),
        (evaluated, "subprocess.run(line, shell=True)"),
        (kept_between_calls, "class A:\n    def forward(self, x):\n        self.seen = x"),
        (kept_between_calls, "class A:\n    def forward(self, x):\n        self.n += 1"),
        (kept_between_calls, "class A:\n    def forward(self, x):\n        self.k[0][1] = x"),
        (kept_between_calls, "class A:\n    def f(self, x):\n        self.register_buffer('x', x)"),
        (watched, "def forward(x, tap):\n    return slow(x) if tap.active else fast(x)"),
        (doubled_where_it_lies, "logits.double()"),
        (doubled_where_it_lies, "logits.double().cpu()"),
        (doubled_where_it_lies, "torch.softmax(logits.double(), dim=-1).cpu()"),
        (doubled_where_it_lies, "logits[0].to(torch.float64)"),
        (doubled_where_it_lies, "logits.to(device, dtype=torch.double)"),
        (doubled_where_it_lies, "torch.arange(3, device=x.device, dtype=torch.float64)"),
        (open_configs, "class GPTConfig: ..."),
        (open_configs, "@dataclass(slots=True)\nclass GPTConfig: ..."),
        (open_configs, "@dataclass\nclass GPTConfig: ..."),
        (exceptions, "class NoLuck(ValueError): ..."),
        (exceptions, "class NoLuck(errors.CoreError): ..."),
    ],
)
def test_a_broken_rule_is_found(rule, text):
    assert len(rule(Module("core.models.gpt", text))) >= 1


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (without_docstring, ""),
        (without_docstring, '"""What it is for."""'),
        (done_at_import, "def f():\n    print('hello')\nWORDS = re.compile('a')"),
        (done_at_import, "if __name__ == '__main__':\n    sys.exit(main())"),
        (done_at_import, "read = lambda path: open(path)"),
        (too_long, '"""What it is for."""\n' + "x = 1\n" * 900),
        (too_long, 'def f():\n    """A\n\n    B\n    """\n' + "    x = 1\n" * 39),
        (unbounded_caches, "@functools.cache\ndef f(): ..."),
        (unbounded_caches, "@lru_cache(maxsize=8)\ndef f(x): ..."),
        (unbounded_caches, "@lru_cache\ndef f(x): ..."),
        (unbounded_caches, "@st.cache_resource(show_spinner=False)\ndef f(): ..."),
        (unbounded_caches, "@st.cache_data(max_entries=3)\ndef f(x): ..."),
        (unpickled, "np.load(path)"),
        (kept_between_calls, "class A:\n    def __init__(self, x):\n        self.x = x"),
        (kept_between_calls, "class A:\n    def forward(self, x):\n        y = self.w[0]"),
        (doubled_where_it_lies, "torch.softmax(logits.cpu().double(), dim=-1)"),
        (doubled_where_it_lies, "copy.deepcopy(block).cpu()[0].double()"),
        (doubled_where_it_lies, "torch.arange(3, dtype=torch.float64)"),
        (doubled_where_it_lies, "values.astype(np.float64)"),
        (open_configs, "@dataclass(frozen=True, slots=True)\nclass GPTConfig: ..."),
        (exceptions, "class Luck: ..."),
    ],
)
def test_a_rule_that_is_kept_is_not(rule, text):
    assert rule(Module("core.models.gpt", text)) == []


def test_training_reads_its_own_state_without_objects():
    module = "core.training.rundir"
    assert unpickled(Module(module, "torch.load(path, weights_only=True)")) == []
    assert unpickled(Module(module, "torch.load(path, weights_only=False)")) != []
    assert unpickled(Module(module, "torch.load(path)")) != []
