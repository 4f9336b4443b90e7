"""The catalogue: complete, true to the shapes, and pointing at the code that runs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import torch

from core.errors import UnknownSiteError
from core.models.topology import Topology
from core.nn.attention import MultiHeadAttention
from core.nn.blocks import PostNormBlock, PreNormBlock
from core.nn.embeddings import Embeddings
from core.nn.feedforward import FeedForward
from core.nn.norms import make_norm
from core.tracing.sites import CATALOGUE, axes, pattern_of, recorded_sites, site, source_line
from core.tracing.tap import NO_TAP, Recorder
from core.tracing.trace import made_from
from tests.conftest import tiny_bert, tiny_gpt

ROOT = Path(__file__).resolve().parent.parent.parent
SIZES = {"T": 5, "Tq": 5, "Tk": 5, "H": 2, "Dh": 8, "D": 16, "F": 32, "1": 1, "2": 2}


def record(model) -> dict[str, torch.Tensor]:
    """A full run of a model, all its heads included."""
    tap = Recorder()
    ids = torch.randint(100, (1, 5))
    if model.topology.next_sentence:
        hidden = model.hidden(ids, tap=tap)
        model.masked_words(hidden, tap)
        model.next_sentence(hidden, tap)
    else:
        model(ids, tap=tap)
    return tap.values


class OneStack(torch.nn.Module):
    """A stack of any topology, put together from the parts."""

    def __init__(self, topology: Topology) -> None:
        super().__init__()
        self.topology = topology
        kind = PreNormBlock if topology.arrangement == "pre" else PostNormBlock
        self.embed = Embeddings(
            100, 8, 16, n_types=2 if "types" in topology.embeddings else 0,
            norm_eps=1e-5 if topology.embed_norm else None,
        )  # fmt: skip
        self.blocks = [
            kind(
                attn=MultiHeadAttention(16, 2),
                ffn=FeedForward(16, 32, "silu", gated=topology.gated),
                ln_1=make_norm(topology.norm, 16, 1e-5),
                ln_2=make_norm(topology.norm, 16, 1e-5),
            )
            for _ in range(topology.n_layers)
        ]
        self.final_norm = make_norm(topology.norm, 16, 1e-5)

    def forward(self, ids: torch.Tensor, tap: Recorder) -> None:
        x = self.embed(ids, tap=tap.at("embed"))
        for i, block in enumerate(self.blocks):
            x = block(x, causal=self.topology.causal, tap=tap.at("blocks", i))
        if self.topology.final_norm:
            x = self.final_norm(x, tap.at("final_norm"))
        tap("logits", x @ self.embed.tokens.weight.T)


GPT, BERT = tiny_gpt().topology, tiny_bert().topology
MIXED = [
    dataclasses.replace(GPT, norm="rms", gated=True),
    dataclasses.replace(GPT, n_layers=1, arrangement="post", final_norm=False, causal=False),
    dataclasses.replace(GPT, embeddings=("tokens", "positions", "types"), embed_norm=False),
]


def names_and_shapes_hold(values: dict[str, torch.Tensor], topology: Topology, vocab: int) -> None:
    assert tuple(values) == recorded_sites(topology)  # none missing, none more, in order
    sizes = SIZES | {"V": vocab}
    for name, value in values.items():
        assert tuple(value.shape[1:]) == tuple(sizes[axis] for axis in site(name).shape), name


def test_gpt_records_what_the_catalogue_says():
    names_and_shapes_hold(record(tiny_gpt()), GPT, 300)


def test_bert_records_what_the_catalogue_says():
    names_and_shapes_hold(record(tiny_bert()), BERT, 120)


@pytest.mark.parametrize("topology", MIXED, ids=["rms gated", "post", "types without norm"])
def test_any_topology_records_what_the_catalogue_says(topology):
    tap = Recorder()
    model = OneStack(topology)
    model(torch.randint(100, (1, 5)), tap=tap)
    names_and_shapes_hold(tap.values, topology, 100)


def test_names_are_unique_and_every_axis_is_known():
    patterns = [one.pattern for one in CATALOGUE]
    assert len(set(patterns)) == len(patterns)
    for one in CATALOGUE:
        assert set(one.shape) <= {*SIZES, "V"}, one.pattern


def test_every_entry_says_what_it_is():
    for one in CATALOGUE:
        assert one.sentence().endswith("."), one.pattern
        assert len(one.sentence()) >= 30
        assert one.symbol
        assert (ROOT / one.module).is_file()


def test_pattern_of_replaces_only_the_blocks_number():
    assert pattern_of("blocks.11.ln_1.mean") == "blocks.{i}.ln_1.mean"
    assert pattern_of("final_norm.out") == "final_norm.out"


def test_unknown_names_are_an_error():
    for name in ("blocks.0.attn.qq", "blocks.x.attn.q", ""):
        with pytest.raises(UnknownSiteError, match=re.escape(f"no site '{name}'")):
            site(name)


def test_the_letters_of_shapes_are_said_with_their_sizes_and_no_others():
    sizes = {"T": 12, "D": 256, "H": 4, "F": 1024, "V": 8192}
    said = axes(["blocks.0.attn.z"], sizes)
    assert said == (
        "Tq queries, one a token, here 12 · D = d_model = 256 · H heads, here 4 · Dh = D / H = 64"
    )
    assert axes(["logits", "blocks.3.ffn.pre"], sizes) == (
        "T tokens, here 12 · F hidden units, here 1,024 · V vocabulary entries, here 8,192"
    )
    assert axes(["nsp.logits"], sizes) == ""
    letters = {letter for one in CATALOGUE for letter in one.shape} - {"1", "2"}
    every = axes([one.pattern for one in CATALOGUE], sizes)
    assert {part.split()[0] for part in every.split(" · ")} == letters


# --- the line of code ----------------------------------------------------------------


@pytest.mark.parametrize("topology", [GPT, BERT, MIXED[0]], ids=["gpt", "bert", "rms gated"])
def test_every_source_line_is_where_the_tapped_value_is_made(topology):
    for name in recorded_sites(topology):
        line, tapped = source_line(name, topology), site(name).tapped
        assert line.path == site(name).module
        from_there = (ROOT / line.path).read_text().split("\n", line.line - 1)[-1]
        before, found, _ = " ".join(from_there.split()).partition(line.code)
        assert found, name
        assert before.strip() in from_there.splitlines()[0], name  # it begins in that very line
        if f'("{tapped}", ' in line.code:
            continue  # the call itself makes the value
        # Otherwise it assigns the variable that the tap is given further down.
        variable = re.search(rf'tap\("{tapped}", (\w+)\)', from_there).group(1)
        assert variable in line.code.partition(" = ")[0].split(", "), name


@pytest.mark.parametrize("last", ["dots", "scores_masked"])
def test_the_source_line_of_a_derived_site_is_what_its_function_returns(last):
    name = f"blocks.0.attn.{last}"
    line = source_line(name, GPT)
    assert site(name).tapped is None
    assert line.code.startswith("return np.")
    assert line.code in (ROOT / line.path).read_text().splitlines()[line.line - 1]
    for part in made_from(name):
        assert part.rpartition(".")[-1] in line.code


def test_no_two_taps_of_a_class_share_a_name_in_one_site():
    """Where a file has a name in several classes, the catalogue says which one is meant."""
    for one in CATALOGUE:
        if one.tapped is None:
            continue
        text = (ROOT / one.module).read_text()
        classes = [
            part for part in re.split(r"^(?=class |def )", text, flags=re.M)
            if re.search(rf'tap(\.at\("\w+"\))?\("{one.tapped}",', part)
        ]  # fmt: skip
        assert len(classes) >= 1, one.pattern
        assert one.part or len(classes) == 1, one.pattern


def test_the_line_shown_is_the_one_of_the_models_own_kind():
    resid = "blocks.0.resid_mid"
    assert "self.attn( self.ln_1(x" in source_line(resid, GPT).code
    assert "self.attn( x," in source_line(resid, BERT).code
    assert source_line("blocks.0.ln_1.normalized", MIXED[0]).code == 'tap("normalized", x / rms)'
    assert "self.nsp(" in source_line("nsp.logits", BERT).code
    assert "table" in source_line("mlm.logits", BERT).code
    assert source_line(resid) == source_line(resid, GPT)


def test_the_source_line_of_an_unknown_site_is_an_error():
    with pytest.raises(UnknownSiteError):
        source_line("blocks.0.attn.nothing")


def test_an_idle_tap_costs_the_model_no_site():
    """The same code runs with and without a recorder; nothing is kept when nobody asks."""
    assert not hasattr(NO_TAP, "values")
