"""The catalogue: complete, true to the shapes, and pointing at the code that runs."""

from __future__ import annotations

import copy
import inspect
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import nn

from core.errors import UnknownSiteError
from core.nn.attention import KeysValues, MultiHeadAttention, attend
from core.nn.blocks import PostNormBlock, PreNormBlock, stack_sites
from core.nn.embeddings import Embeddings
from core.nn.feedforward import FeedForward, GatedFeedForward
from core.nn.norms import LayerNorm, RMSNorm
from core.tracing import trace_run
from core.tracing.derived import DERIVED, made_from
from core.tracing.sites import Site, axes, catalogue_of, declared, find, recorded, within
from core.tracing.source import source_line
from core.tracing.tap import NO_TAP, Recorder
from tests.conftest import GIVEN, loaded, tiny_bert

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = {"H": 2, "Dh": 8, "D": 16, "F": 32, "1": 1, "2": 2}


class OneStack(nn.Module):
    """A stack put together from the parts in a way that no machine of ours is."""

    def __init__(
        self, kind=PreNormBlock, norm=LayerNorm, *, gated=False, n_types=0, eps=None, last=True
    ) -> None:
        super().__init__()
        self.embed = Embeddings(100, 8, 16, n_types=n_types, norm_eps=eps)
        self.blocks = nn.ModuleList(
            kind(
                attn=MultiHeadAttention(16, 2),
                ffn=(GatedFeedForward if gated else FeedForward)(16, 32, "silu"),
                ln_1=norm(16),
                ln_2=norm(16),
            )
            for _ in range(2)
        )
        self.final_norm = norm(16) if last else None

    def forward(self, ids: torch.Tensor, tap: Recorder) -> None:
        x = self.embed(ids, tap=tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(x, tap=tap.at("blocks", i))
        if self.final_norm is not None:
            x = self.final_norm(x, tap.at("final_norm"))
        tap("logits", x @ self.embed.tokens.weight.T)

    def sites(self) -> Iterator[Site]:
        yield from within("embed", self.embed.sites())
        yield from stack_sites(self.blocks, "tokens")
        if self.final_norm is not None:
            yield from within("final_norm", self.final_norm.sites("y"))
        yield from declared(type(self), Site("logits", ("T", "V"), "l", "One number a word."))


MIXED = {
    "rms gated": OneStack(norm=RMSNorm, gated=True),
    "post": OneStack(PostNormBlock, last=False),
    "types without norm": OneStack(n_types=2),
    "post, types and norm": OneStack(PostNormBlock, RMSNorm, n_types=2, eps=1e-5),
}


def kind_of(machine) -> str:
    return machine.architecture


# --- complete ------------------------------------------------------------------------


def test_a_machine_records_what_its_catalogue_says(machine):
    """Names, in order, and shapes; each axis as long as the stream or the size it is named for."""
    trace = trace_run(machine, GIVEN[kind_of(machine)])
    catalogue = machine.catalogue
    assert tuple(trace) == recorded(catalogue)  # none missing, none more, in order
    sizes = SIZES | own_sizes(machine)
    lengths = {name: len(stream.units) for name, stream in trace.streams.items()}
    assert len(set(lengths.values())) == len(lengths)
    for name, value in trace.items():
        site = catalogue[name]
        streams = [site.stream(axis) for axis in site.axes]
        wanted = [lengths[s] if s else sizes.get(a, n)  # a map's sides are its own
                  for s, a, n in zip(streams, site.axes, value.shape, strict=True)]  # fmt: skip
        assert list(value.shape) == wanted, name


def own_sizes(machine) -> dict[str, int]:
    """What the letters of its shapes stand for, as its blueprint and its tables say."""
    config, blueprint = machine.config, machine.blueprint
    sizes = {}
    for start in blueprint.embeddings:
        n_entries, d = machine.weights[start.table].shape
        if start.units == "words":  # the rows are those of characters
            n_entries, d = config.vocab_size, config.d_model
        sizes |= {"V": n_entries, "D": d, "2D": 2 * d}
    for stack in blueprint.stacks:
        sizes |= {"D": stack.d_model, "H": stack.n_heads, "Dh": stack.d_head, "F": stack.d_ff}
    for cut in blueprint.patches:
        sizes |= {"N": cut.rows * cut.columns, "P": cut.n_numbers, "L": len(config.labels)}
        sizes |= {} if cut.d_model is None else {"D": cut.d_model}
    if blueprint.convolutions:
        sizes |= {"U": config.d_hidden, "L": len(config.labels)}
    return sizes


@pytest.mark.parametrize("made", MIXED.values(), ids=MIXED)
def test_any_stack_records_what_its_catalogue_says(made):
    tap = Recorder()
    made(torch.randint(100, (1, 5)), tap=tap)
    catalogue = catalogue_of(made)
    assert tuple(tap.values) == recorded(catalogue)
    sizes = SIZES | {"V": 100, "T": 5, "Tq": 5, "Tk": 5}
    for name, value in tap.values.items():
        wanted = tuple(sizes[axis] for axis in catalogue[name].axes)
        assert tuple(value.shape[1:]) == wanted, name


@pytest.mark.parametrize("masked_words", [True, False])
@pytest.mark.parametrize("sentence_pairs", [True, False])
def test_a_head_that_is_not_there_has_no_site(wordpiece, masked_words, sentence_pairs):
    made = tiny_bert(masked_words=masked_words, sentence_pairs=sentence_pairs)
    trace = trace_run(loaded(made, wordpiece), "The cat")
    assert tuple(trace) == recorded(catalogue_of(made))
    assert ("mlm.logits" in trace) == masked_words
    assert ("nsp.logits" in trace) == ("pooler.out" in trace) == sentence_pairs


def test_what_a_derived_site_is_made_from_is_in_the_catalogue(machine):
    catalogue = machine.catalogue
    derived = [site for site in catalogue.values() if site.derived]
    assert derived or not machine.blueprint.attentions
    trace = trace_run(machine, GIVEN[kind_of(machine)])
    for site in derived:
        assert site.name.rpartition(".")[-1] in DERIVED
        assert all(catalogue[part].tapped for part in made_from(site.name))
        lengths = {name: len(stream.units) for name, stream in trace.streams.items()}
        pairs = lengths[site.queries], lengths[site.keys]
        assert trace[site.name].shape[-2:] == pairs


class Watch(Recorder):
    """Notes which module's code called each tap."""

    def at(self, *scope):
        part = super().at(*scope)
        part.__class__ = Watch
        return part

    def __call__(self, site, value, step=None):
        frame = sys._getframe(1)
        while not isinstance(frame.f_locals.get("self"), nn.Module):
            frame = frame.f_back  # a function that a layer calls, as ``attend``
        TAPPED_BY[self._prefix + site] = frame.f_locals["self"]
        return super().__call__(site, value, step)


TAPPED_BY: dict[str, nn.Module] = {}


def test_the_prefix_of_a_site_is_the_path_of_the_layer_that_taps_it(machine):
    """But of an embedding that two towers share: there it is the way of the call."""
    TAPPED_BY.clear()
    paths = {module: path for path, module in machine.model.named_modules()}
    with torch.inference_mode():
        machine.model.observe(machine.prepare(GIVEN[kind_of(machine)]), Watch())
    assert set(TAPPED_BY) == set(recorded(machine.catalogue))
    for name, module in TAPPED_BY.items():
        prefix, path = name.rpartition(".")[0], paths[module]
        if path in ("embed", "words") and prefix.endswith(".embed"):
            assert prefix in ("encoder.embed", "decoder.embed")
        else:
            assert prefix == path, name
        files = {
            inspect.getfile(one) for one in type(module).__mro__ if one.__module__ != "builtins"
        }
        assert str(ROOT / machine.catalogue[name].path) in files


# --- what it says --------------------------------------------------------------------


def test_every_entry_says_what_it_is(machine):
    usual = {"T", "Tq", "Tk", "H", "Dh", "D", "2D", "F", "V", "1", "2"}
    for name, site in machine.catalogue.items():
        assert site.name == name
        assert site.sentence().endswith("."), name
        assert len(site.sentence()) >= 20
        assert site.symbol
        assert set(site.axes) <= usual | dict(site.letters).keys(), name
        assert (ROOT / site.path).is_file()


@pytest.mark.parametrize("name", ["gpt", "bert", "transformer", "vit", "cnn"])
def test_the_sentences_of_our_machines_are_sentences(request, name):
    for site in request.getfixturevalue(name).catalogue.values():
        assert len(site.sentence()) >= 30, site.name


def test_the_axes_of_two_towers_run_over_their_own_streams(transformer):
    catalogue = transformer.catalogue
    for part, queries, keys in (
        ("encoder.blocks.1.attn", "source", "source"),
        ("decoder.blocks.1.attn", "target", "target"),
        ("decoder.blocks.0.cross_attn", "target", "source"),
    ):
        weights = catalogue[f"{part}.weights"]
        assert [weights.stream(axis) for axis in weights.axes] == [None, queries, keys]
        assert catalogue[f"{part}.out"].stream("Tq") == queries
    for prefix, stream in (
        ("encoder", "source"),
        ("decoder", "target"),
    ):
        for site in catalogue.values():
            if site.name.startswith(f"{prefix}."):
                assert site.stream("T") == stream, site.name
    assert catalogue["logits"].stream("T") == "target"


def test_a_pattern_replaces_only_the_blocks_number(gpt, transformer):
    assert gpt.catalogue["blocks.1.ln_1.mean"].pattern == "blocks.{i}.ln_1.mean"
    assert gpt.catalogue["final_norm.out"].pattern == "final_norm.out"
    cross = transformer.catalogue["decoder.blocks.1.cross_attn.q"]
    assert cross.pattern == "decoder.blocks.{i}.cross_attn.q"


def test_unknown_names_are_an_error(gpt):
    for name in ("blocks.0.attn.qq", "blocks.x.attn.q", ""):
        with pytest.raises(UnknownSiteError, match=re.escape(f"no site '{name}'")):
            find(gpt.catalogue, name)


def test_the_letters_of_shapes_are_said_with_their_sizes_and_no_others(gpt, bert):
    sizes = {"D": 256, "H": 4, "Dh": 64, "F": 1024, "V": 8192}

    def said(*names: str) -> str:
        return axes(
            [{**gpt.catalogue, **bert.catalogue}[name] for name in names], sizes, {"tokens": 12}
        )

    assert said("blocks.0.attn.z") == (
        "Tq queries, one per position, here 12 · D = d_model = 256 · H heads, here 4 · "
        "Dh = D / H = 64"
    )
    assert said("logits", "blocks.1.ffn.pre") == (
        "T positions, here 12 · F hidden units, here 1,024 · V vocabulary entries, here 8,192"
    )
    assert said("nsp.logits") == ""
    letters = {letter for site in bert.catalogue.values() for letter in site.axes} - {"1", "2"}
    every = said(*bert.catalogue)
    assert {part.split()[0] for part in every.split(" · ")} == letters


def test_a_head_that_is_no_share_of_the_stream_is_said_by_itself(relative):
    said = axes([relative.catalogue["body.blocks.0.attn.z"]], relative.sizes, {"tokens": 12})
    assert said == (
        "Tq queries, one per position, here 12 · H heads, here 2 · Dh numbers per head, here 5"
    )


def test_the_sizes_of_a_machine_are_those_of_its_shapes(machine):
    """Of every letter that stands for one size throughout."""
    sizes = own_sizes(machine)
    for letter, size in machine.sizes.items():
        assert sizes[letter] == size


def test_positions_of_two_streams_are_said_apart(transformer):
    names = ("decoder.blocks.0.cross_attn.weights", "logits")
    sites = [transformer.catalogue[name] for name in names]
    sizes = {"D": 8, "H": 2, "Dh": 4, "F": 9, "V": 99}
    said = axes(sites, sizes, {"source": 7, "target": 5})
    assert said.startswith(
        "T positions, here 5 (target) · Tq queries, one per position, here 5 (target) · "
        "Tk keys, one per position, here 7 (source) · "
    )


def test_a_layer_says_what_its_own_letters_stand_for():
    class Convolution:
        def forward(self, tap):
            tap("maps", 0)

    maps = Site("maps", ("C", "7", "T"), "x", "What each kernel finds.")
    (found,) = declared(Convolution, maps, letters={"C": "C feature maps"})
    (inside,) = within("layers.0", [found])
    assert axes([inside], {}, {"tokens": 3}) == "T positions, here 3 · C feature maps"
    with pytest.raises(KeyError, match="C"):
        axes(list(declared(Convolution, maps)), {}, {"tokens": 3})


# --- the line of code ----------------------------------------------------------------


def check_lines(sites):
    for site in sites:
        if site.derived:
            continue
        line = source_line(site)
        assert line.path == site.path
        from_there = (ROOT / line.path).read_text().split("\n", line.line - 1)[-1]
        before, found, _ = " ".join(from_there.split()).partition(line.code)
        assert found, site.name
        assert before.strip() in from_there.splitlines()[0], site.name  # it begins in that line
        if before.rstrip().endswith(f'("{site.tapped}",'):
            continue  # it is made where it is tapped
        # Otherwise it assigns the variable that the tap is given further down.
        variable = re.search(rf'tap\("{site.tapped}", (\w+)[,)]', from_there).group(1)
        assert variable in line.code.partition(" = ")[0].split(", "), site.name


def test_every_source_line_is_where_the_tapped_value_is_made(machine):
    check_lines(machine.catalogue.values())


@pytest.mark.parametrize("made", [MIXED["rms gated"], MIXED["post"]], ids=["rms gated", "post"])
def test_so_it_is_of_any_stack(made):
    check_lines(site for site in made.sites() if site.name != "logits")


@pytest.mark.parametrize("last", ["dots", "scores_masked"])
def test_the_source_line_of_a_derived_site_is_what_its_function_returns(gpt, last):
    site = gpt.catalogue[f"blocks.0.attn.{last}"]
    line = source_line(site)
    assert site.derived
    assert line.code.startswith("return np.")
    assert line.code in (ROOT / line.path).read_text().splitlines()[line.line - 1]
    for part in made_from(site.name):
        assert part.rpartition(".")[-1] in line.code


def test_the_line_shown_is_the_one_of_the_models_own_kind(gpt, bert, transformer):
    resid = "blocks.0.resid_mid"
    assert "self.attn( self.ln_1(x" in source_line(gpt.catalogue[resid]).code
    assert "self.attn( x," in source_line(bert.catalogue[resid]).code
    rms = catalogue_of(MIXED["rms gated"])["blocks.0.ln_1.normalized"]
    assert source_line(rms).code == "x / rms"
    layer_norm = source_line(gpt.catalogue["blocks.0.ln_1.normalized"])
    assert layer_norm.code == "(x - mean) / torch.sqrt(var + self.eps)"
    assert source_line(bert.catalogue["nsp.logits"]).path == "core/models/bert.py"
    assert source_line(bert.catalogue["pooler.out"]).code.startswith("torch.tanh(")
    assert "table" in source_line(bert.catalogue["mlm.logits"]).code
    scores = source_line(transformer.catalogue["decoder.blocks.0.cross_attn.scores"])
    assert scores.code == "(q / math.sqrt(d_head)) @ k.mT"
    gated = catalogue_of(MIXED["rms gated"])["blocks.0.ffn.post"]
    assert source_line(gated).code == "self.activation(pre) * gate"


@pytest.mark.parametrize("scaled", [True, False])
@pytest.mark.parametrize("biased", [True, False])
def test_the_line_of_the_scores_is_the_equation_that_ran(scaled, biased):
    q, k = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4)
    bias = torch.randn(1, 2, 3, 3) if biased else None
    tap = Recorder()
    attend(q, k, k, scaled=scaled, bias=bias, tap=tap)
    attn = MultiHeadAttention(8, 2, scaled=scaled)
    (scores,) = (site for site in attn.sites(biased=biased) if site.name == "scores")
    names = {"q": q, "k": k, "bias": bias, "d_head": 4, "math": math}
    found = eval(source_line(scores).code, names)
    assert found.equal(tap.values["scores"])
    assert ("b" in scores.symbol) == biased
    assert ("sqrt" in scores.symbol) == scaled


def test_a_trace_knows_the_lines_of_its_own_model(gpt, bert):
    for model in (gpt, bert):
        trace = trace_run(model, "The cat")
        name = "blocks.0.resid_mid"
        assert trace.source(name) == source_line(model.catalogue[name])
        assert trace.site(name) is model.catalogue[name]
        with pytest.raises(UnknownSiteError):
            trace.source("blocks.0.attn.nothing")


def test_an_idle_tap_costs_the_model_no_site():
    """The same code runs with and without a recorder; nothing is kept when nobody asks."""
    assert not hasattr(NO_TAP, "values")


# --- heirs ---------------------------------------------------------------------------


class Retold(MultiHeadAttention):
    """Makes the keys in its own way."""

    def keys_values(self, source, tap=NO_TAP):
        k = tap("k", self._heads(self.w_k(-source)))
        return KeysValues(k, tap("v", self._heads(self.w_v(source))))


@pytest.mark.parametrize("kind", ["gpt", "bert", "transformer"])
def test_a_machine_made_of_heirs_has_the_lines_of_those_they_inherit_from(request, kind):
    """Each layer is of a class that adds nothing, in a function, as in a notebook."""
    own = request.getfixturevalue(kind)
    wanted = {site.name: source_line(site) for site in own.catalogue.values()}
    heir = copy.deepcopy(own.model)
    for module in heir.modules():
        if type(module).__module__.startswith("core."):
            module.__class__ = type("Heir", (type(module),), {})
    catalogue = catalogue_of(heir)
    assert {name: source_line(site) for name, site in catalogue.items()} == wanted


def test_what_an_heir_makes_itself_is_its_own_line():
    here = str(Path(__file__).relative_to(ROOT))
    sites = {site.name: site for site in Retold(8, 2).sites()}
    assert source_line(sites["k"]).code == "self._heads(self.w_k(-source))"
    assert [name for name, site in sites.items() if site.path == here] == ["k", "v"]
    of_base = {site.name: site for site in MultiHeadAttention(8, 2).sites()}
    assert all(sites[name] == of_base[name] for name in sites.keys() - {"k", "v"})
