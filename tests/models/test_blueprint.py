"""What a model is made of, against what a run of it computes."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from core.analysis.norms import normed
from core.analysis.units import FUNCTIONS
from core.errors import NoPartError, NoWordsError, ParameterError, UnknownSiteError
from core.models.blueprint import (
    ONE_STREAM,
    SOURCE,
    TARGET,
    Attention,
    Blueprint,
    Embedding,
    Head,
    Norm,
    Recurrence,
    Stack,
)
from core.models.parts import Dense
from core.models.picture_parts import ConvolutionalStem, PatchStem
from core.models.roles import handed_on_in
from core.tracing import trace_run
from tests.conftest import GIVEN, tiny_bert, tiny_transformer


@pytest.fixture
def trace(machine):
    return trace_run(machine, GIVEN[machine.architecture])


def close(found, expected, name):
    np.testing.assert_allclose(found, expected, atol=2e-5, err_msg=name)


# --- a stack, by itself ----------------------------------------------------------------


def stack(**changes) -> Stack:
    whole = {
        "name": "decoder", "prefix": "decoder.blocks", "stream": TARGET, "n_layers": 3,
        "d_model": 8, "n_heads": 2, "d_head": 4, "d_ff": 32, "norm": "layer", "eps": 1e-5,
        "arrangement": "pre", "activation": "relu", "gated": False, "causal": True, "cross": None,
    }  # fmt: skip
    return Stack(**whole | changes)


@pytest.mark.parametrize(
    ("arrangement", "cross", "norms", "inputs", "output"),
    [
        ("pre", None, {"ln_1": "resid_pre", "ln_2": "resid_mid"},
         {"attn": "ln_1.out", "ffn": "ln_2.out"}, "resid_post"),
        ("post", None, {"ln_1": "resid_mid", "ln_2": "resid_post"},
         {"attn": "resid_pre", "ffn": "ln_1.out"}, "ln_2.out"),
        ("pre", SOURCE, {"ln_1": "resid_pre", "ln_cross": "resid_mid", "ln_2": "resid_cross"},
         {"attn": "ln_1.out", "cross_attn": "ln_cross.out", "ffn": "ln_2.out"}, "resid_post"),
        ("post", SOURCE, {"ln_1": "resid_mid", "ln_cross": "resid_cross", "ln_2": "resid_post"},
         {"attn": "resid_pre", "cross_attn": "ln_1.out", "ffn": "ln_cross.out"}, "ln_2.out"),
    ],
)  # fmt: skip
def test_what_each_part_of_a_block_reads(arrangement, cross, norms, inputs, output):
    made = stack(arrangement=arrangement, cross=cross)
    assert made.norms == norms
    assert {part: made.input_of(part) for part in inputs} == inputs
    assert made.output == f"decoder.blocks.2.{output}"


def test_the_attentions_of_a_stack():
    own = stack(cross=SOURCE).attention("decoder", "attn")
    assert (own.queries, own.keys, own.causal, own.square) == (TARGET, TARGET, True, True)
    cross = stack(cross=SOURCE).attention("cross", "cross_attn")
    assert (cross.queries, cross.keys, cross.causal, cross.square) == (TARGET, SOURCE, False, False)
    assert cross.n_layers == 3
    assert cross.prefix(1) == "decoder.blocks.1.cross_attn"
    assert cross.reads(1) == "decoder.blocks.1.ln_cross.out"


# --- of every machine ------------------------------------------------------------------


def test_the_parts_are_plain_frozen_data(machine):
    blueprint = machine.blueprint
    assert hash(blueprint) == hash(machine.model.blueprint)
    assert blueprint == machine.model.blueprint
    for part in blueprint.parts:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, dataclasses.fields(part)[0].name, "other")
        for value in dataclasses.astuple(part):
            assert isinstance(value, str | int | float | bool | tuple | None)


def test_every_site_it_names_is_computed(machine, trace):
    blueprint = machine.blueprint
    begins = (*blueprint.embeddings, *blueprint.patches)
    named = [term for beginning in begins for term in beginning.terms]
    for part in blueprint.convolutions:
        named += [part.output, *(part.maps(layer) for layer in range(part.n_layers))]
    named += [site for units in blueprint.dense for site in (units.site, units.reads)]
    named += [norm.reads for norm in blueprint.norms] + [stack.output for stack in blueprint.stacks]
    named += [site for head in blueprint.heads for site in (head.site, head.reads)]
    named += [site for recurrence in blueprint.recurrences for site in recurrence.outputs]
    for one in blueprint.attentions:
        for layer in range(one.n_layers):
            named += [one.reads(layer), f"{one.prefix(layer)}.q", f"{one.prefix(layer)}.weights"]
    assert len(named) > 4
    for name in named:
        assert name in trace, name


def test_parts_stand_in_the_order_of_computation(machine):
    """By the last site of each, as the catalogue has them: what a part reads comes before it."""
    order = list(machine.catalogue)
    last = {
        Embedding: lambda part: part.terms[-1],
        Stack: lambda part: part.output,
        Recurrence: lambda part: part.outputs[-1],
        Attention: lambda part: f"{part.prefixes[-1]}.weights",
        Norm: lambda part: f"{part.prefix}.out",
        Head: lambda part: part.site,
        PatchStem: lambda part: part.terms[-1],
        ConvolutionalStem: lambda part: part.output,
        Dense: lambda part: part.site,
    }
    places = [order.index(last[type(part)](part)) for part in machine.blueprint.parts]
    assert places == sorted(places)


def test_embeddings_begin_the_streams_with_the_sum_of_their_terms(machine, trace):
    blueprint = machine.blueprint
    assert blueprint.streams == tuple(trace.streams)
    begins = (*blueprint.embeddings, *blueprint.patches)
    assert blueprint.convolutions or {one.stream for one in begins} == set(blueprint.streams)
    for beginning in begins:
        stream, total = beginning.stream, sum(trace[term] for term in beginning.terms)
        assert total.shape == (len(trace.streams[stream].units), trace[beginning.terms[0]].shape[1])
        for one in blueprint.stacks:
            if one.stream == stream and not getattr(beginning, "norm", None):
                close(trace[f"{one.block(0)}.resid_pre"], total, stream)
    for embedding in blueprint.embeddings:
        assert blueprint.embedding(embedding.stream) == embedding


def test_every_norm_of_a_block_reads_the_sum_it_says(machine, trace):
    for one in machine.blueprint.stacks:
        for layer in range(one.n_layers):
            for norm, read in one.norms.items():
                site = f"{one.block(layer)}.{norm}"
                gain, shift = (trace.weights.get(f"{site}.{name}") for name in ("weight", "bias"))
                assert (shift is None) == (one.norm == "rms")
                rows = trace[f"{one.block(layer)}.{read}"]
                close(normed(one.norm, rows, gain, shift, one.eps), trace[f"{site}.out"], site)


def test_queries_are_made_from_what_an_attention_reads(machine, trace):
    if not machine.blueprint.stacks:
        return  # a recurrent decoder asks with the state before
    for one in machine.blueprint.attentions:
        for layer in range(one.n_layers):
            prefix, weights = one.prefix(layer), trace.weights
            read = trace[one.reads(layer)]
            q = read @ weights[f"{prefix}.w_q.weight"].T + weights.get(f"{prefix}.w_q.bias", 0)
            heads = trace[f"{prefix}.q"]
            close(heads.swapaxes(0, 1).reshape(q.shape), q, prefix)


def test_the_feed_forward_reads_what_the_stack_says(machine, trace):
    for one in machine.blueprint.stacks:
        for layer in range(one.n_layers):
            ffn = f"{one.block(layer)}.ffn"
            read = trace[f"{one.block(layer)}.{one.input_of('ffn')}"]
            expected = read @ trace.weights[f"{ffn}.w_1.weight"].T
            close(trace[f"{ffn}.pre"], expected + trace.weights.get(f"{ffn}.w_1.bias", 0), ffn)
            active = FUNCTIONS[one.activation](trace[f"{ffn}.pre"])
            close(trace[f"{ffn}.post"], active * (trace[f"{ffn}.gate"] if one.gated else 1), ffn)


def test_a_stack_has_the_sizes_and_biases_that_it_says(machine, trace):
    for one in machine.blueprint.stacks:
        block = one.block(0)
        assert trace[one.output].shape[-1] == one.d_model
        assert trace[f"{block}.attn.q"].shape[::2] == (one.n_heads, one.d_head)
        assert trace[f"{block}.ffn.post"].shape[-1] == one.d_ff
        biases = {name for name in trace.weights if name.startswith(block) and ".w_" in name}
        assert any(name.endswith(".bias") for name in biases) == one.biases


def test_scores_are_compared_scaled_and_biased_as_an_attention_says(machine, trace):
    for one in machine.blueprint.attentions:
        for layer in range(one.n_layers):
            site = f"{one.prefix(layer)}.dots"
            assert (site in machine.catalogue) == (one.score == "dot")
            if one.score != "dot":
                with pytest.raises(UnknownSiteError):
                    trace[site]
                continue
            added = 0 if one.bias is None else trace[one.bias]
            expected = trace[site] / (one.scale or 1) + added
            close(trace[f"{one.prefix(layer)}.scores"], expected, one.name)


def test_the_sides_of_every_attention_are_its_streams(machine, trace):
    for one in machine.blueprint.attentions:
        n = len(trace.streams[one.queries].units), len(trace.streams[one.keys].units)
        assert trace.masks[one.name].shape == n
        for layer in range(one.n_layers):
            weights = trace[f"{one.prefix(layer)}.weights"]
            assert weights.shape[-2:] == n
            close(weights.sum(-1), 1, one.name)
            later = ~np.tri(*n, dtype=bool)
            if one.causal:
                assert (weights[..., later] == 0).all()
            else:
                assert one.square is False or (weights[..., later] > 0).all()
    assert set(trace.masks) == {one.name for one in machine.blueprint.attentions}


def test_an_attention_is_found_by_name_and_by_its_sites(machine):
    blueprint = machine.blueprint
    names = [one.name for one in blueprint.attentions]
    assert len(set(names)) == len(names)
    for one in blueprint.attentions:
        assert blueprint.attention(one.name) == one
        for layer in range(one.n_layers):
            for site in ("", ".", ".weights"):
                assert blueprint.attention_at(one.prefix(layer) + site) == one
    if not names:
        return
    main = blueprint.attention("")
    assert main == blueprint.attention()
    assert main.queries == blueprint.stream
    assert main.square == any(
        one.square for one in blueprint.attentions if one.queries == blueprint.stream
    )
    with pytest.raises(LookupError, match="no attention has a site"):
        blueprint.attention_at(blueprint.heads[0].site)


def test_the_roles_are_sites(machine, trace):
    blueprint = machine.blueprint
    assert blueprint.site("@output") == blueprint.heads[0].reads
    assert blueprint.site("blocks.*") == "blocks.*"
    if not blueprint.predicts_words:
        assert blueprint.site("@labels") == blueprint.classifier.site
        assert trace[blueprint.site("@labels")].shape == (len(blueprint.classifier.labels),)
        return
    with pytest.raises(NoPartError, match="no head that chooses among labels"):
        blueprint.site("@labels")
    assert blueprint.site("@logits") == blueprint.head.site
    logits, output = (trace[blueprint.site(role)] for role in ("@logits", "@output"))
    assert logits.shape == (len(trace.tokens), machine.config.vocab_size)
    assert len(output) == len(trace.tokens)


def test_what_other_streams_get_of_one_is_a_single_site_or_an_error():
    both = tiny_transformer().blueprint
    assert handed_on_in(both, SOURCE) == both.encoded
    one_way = Recurrence("encoder", "encoder.rnn", SOURCE, "gru", 2, ("forward",), 4)
    two_ways = dataclasses.replace(one_way, directions=("forward", "backward"))
    assert handed_on_in(Blueprint((one_way,)), SOURCE) == "encoder.rnn.1.forward.hidden"
    for parts in ((two_ways,), ()):
        with pytest.raises(NoPartError, match="no layer that hands on one vector"):
            handed_on_in(Blueprint(parts), SOURCE)


# --- of each machine by itself ---------------------------------------------------------


def test_gpt(gpt):
    blueprint = gpt.blueprint
    assert [type(part) for part in blueprint.parts] == [Embedding, Stack, Norm, Head]
    assert (blueprint.main.causal, blueprint.main.arrangement) == (True, "pre")
    assert blueprint.final_norm(blueprint.main) == blueprint.norms[0]
    assert blueprint.streams == (ONE_STREAM,)
    assert [one.name for one in blueprint.attentions] == ["self"]
    assert (blueprint.head.ability, blueprint.head.site) == ("next_token", "logits")


def test_bert(bert):
    blueprint = bert.blueprint
    assert [type(part) for part in blueprint.parts] == [Embedding, Stack, Head, Head]
    assert (blueprint.main.causal, blueprint.main.arrangement) == (False, "post")
    assert blueprint.final_norm(blueprint.main) is None
    assert [head.site for head in blueprint.heads] == ["mlm.logits", "nsp.logits"]
    assert blueprint.embedding(ONE_STREAM).tables == ("tokens", "positions", "types")


def test_transformer(transformer):
    blueprint = transformer.blueprint
    kinds = [Embedding, Stack, Embedding, Stack, Head]
    assert [type(part) for part in blueprint.parts] == kinds
    assert blueprint.streams == (SOURCE, TARGET)
    assert [one.name for one in blueprint.attentions] == ["encoder", "decoder", "cross"]
    assert blueprint.main == blueprint.stacks[1]
    assert blueprint.main.cross == SOURCE
    assert blueprint.attention("").name == "decoder"
    assert [e.positions for e in blueprint.embeddings] == ["sinusoidal"] * 2
    assert blueprint.embedding(TARGET).terms == (
        "decoder.embed.scaled", "decoder.embed.positions",
    )  # fmt: skip


def test_a_recurrent_machine(rnn):
    blueprint = rnn.blueprint
    assert blueprint.stacks == ()
    reader, writer = blueprint.recurrences
    assert reader.directions == ("forward", "backward")
    assert reader.outputs == ("encoder.rnn.1.forward.hidden", "encoder.rnn.1.backward.hidden")
    assert writer.outputs == (blueprint.head.reads,)
    assert blueprint.attention("").name == "cross"
    assert blueprint.embedding(SOURCE).positions is None
    with pytest.raises(NoPartError, match="no layers of attention and feed-forward: choose anoth"):
        blueprint.main  # noqa: B018
    with pytest.raises(NoPartError, match="no layers of attention and feed-forward: choose anoth"):
        blueprint.stack("encoder")


def test_a_blueprint_without_head_or_attention():
    bare = Blueprint(
        (
            Embedding("embed", ONE_STREAM, ("tokens",), None, None, norm=None, scaled=False),
            Recurrence("reader", "rnn", ONE_STREAM, "lstm", 2, ("forward",), 8),
        )
    )
    assert bare.stream == ONE_STREAM
    assert not bare.predicts_words
    for ask in (lambda: bare.head, lambda: bare.site("@logits")):
        with pytest.raises(NoWordsError, match="no head that predicts words: choose another"):
            ask()
    for name in ("", "self"):
        with pytest.raises(NoPartError, match="this model has no attention: choose another"):
            bare.attention(name)
    with pytest.raises(NoPartError, match="no token table"):
        bare.embedding(TARGET)
    assert bare.across() is None


def test_a_name_that_is_not_there_is_an_error_that_says_which_are(machine):
    blueprint = machine.blueprint
    kinds = (("stack", blueprint.stack, blueprint.stacks),
             ("attention", blueprint.attention, blueprint.attentions))  # fmt: skip
    for kind, look_up, there in kinds:
        if not there:
            continue
        with pytest.raises(ParameterError, match=f"{kind} is 'decodr'; it must be one of") as error:
            look_up("decodr")
        assert all(one.name in str(error.value) for one in there)


def test_a_bert_of_few_heads():
    """What the last block hands on is there without a head; a pair's verdict is no word."""
    for sentence_pairs in (False, True):
        made = tiny_bert(masked_words=False, sentence_pairs=sentence_pairs).blueprint
        assert len(made.heads) == sentence_pairs
        assert made.site("@output") == "blocks.1.ln_2.out"
        assert not made.predicts_words
        with pytest.raises(NoWordsError):
            made.head  # noqa: B018
    assert tiny_bert(sentence_pairs=False).blueprint.head.site == "mlm.logits"


def test_one_stack_that_attends_to_another_stream_has_two_kinds():
    """A decoder whose source comes from outside."""
    made = Blueprint((stack(cross=SOURCE), Head("translate", "logits", TARGET, reads="x")))
    assert [one.name for one in made.attentions] == ["self", "cross"]
    for a, b in itertools.pairwise(made.attentions):
        assert not set(a.prefixes) & set(b.prefixes)


# --- the stream that a text becomes -----------------------------------------------------


def test_what_is_made_of_a_text_is_what_the_head_of_one_stream_reads(gpt, bert):
    for machine in (gpt, bert):
        blueprint = machine.blueprint
        assert blueprint.reader == blueprint.main
        assert blueprint.site("@encoded") == blueprint.site("@output")
    assert gpt.blueprint.encoded == "final_norm.out"
    assert bert.blueprint.encoded == "blocks.1.ln_2.out"


def test_of_two_towers_it_is_the_encoders(transformer):
    blueprint = transformer.blueprint
    assert blueprint.reader.name == "encoder"
    assert blueprint.site("@encoded") == "encoder.blocks.1.ln_2.out"
    assert blueprint.site("@output") == "decoder.blocks.1.ln_2.out"


def test_a_text_that_no_blocks_read_has_no_reader(rnn):
    with pytest.raises(NoPartError, match="no layers of attention and feed-forward"):
        _ = rnn.blueprint.reader


def test_what_attention_computes_is_recorded_with_what_it_is_made_from(machine):
    """And nothing else: it is a part of the whole run that everybody can afford."""
    blueprint, given = machine.blueprint, GIVEN[machine.architecture]
    names = set(trace_run(machine, given, sites=blueprint.sites("@attention")))
    for attention in blueprint.attentions:
        for layer in range(attention.n_layers):
            assert attention.reads(layer) in names
            assert f"{attention.prefix(layer)}.weights" in names
    answer = "@logits" if blueprint.predicts_words else "@labels"
    assert blueprint.site(answer) in names
    assert not any(".ffn." in name for name in names)
    assert blueprint.sites(answer) == (blueprint.site(answer),)
    assert blueprint.sites("blocks.*") == ("blocks.*",)
