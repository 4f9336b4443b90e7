"""Places of a model: read from a link, and found in its blueprint."""

from __future__ import annotations

import pytest

from core.models import places
from core.models.places import Place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("layer3", Place("layer3", "", 3)),
        ("layer0.head2", Place("layer0.head2", "", 0, head=2)),
        ("layer0.head2.key7", Place("layer0.head2.key7", "", 0, head=2, key=7)),
        ("layer1.ffn", Place("layer1.ffn", "", 1, ffn=True)),
        ("target.layer0.cross.head1",
         Place("target.layer0.cross.head1", "target", 0, head=1, across=True)),
        ("source.layer0.backward.cell",
         Place("source.layer0.backward.cell", "source", 0, cell=True, backward=True)),
        ("layer1.ffn.unit30", Place("layer1.ffn.unit30", "", 1, ffn=True, unit=30)),
        ("source.embeddings", Place("source.embeddings", "source", 0, start=True)),
        ("words", Place("words", "", 0, end=True)),
        ("words.word12", Place("words.word12", "", 0, end=True, word=12)),
    ],
)  # fmt: skip
def test_a_name_is_read(text, place):
    assert places.read(text) == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "layer",
        "layer-1",
        "head3",
        "layer1.head",
        "layer1.ffn.head2",
        "layer9999",
        "LAYER1",
        "words.head1",
        "embeddings.unit2",
        "layer1.unit2",
    ],
)
def test_what_is_no_name_is_none(text):
    assert places.read(text) is None


def output(model, text):
    place = places.read(text)
    assert place is not None
    return place.output(model.blueprint)


def test_each_is_found_in_the_machine_that_has_it(gpt, transformer, rnn):
    assert output(gpt, "layer1.head1") == ("blocks.1.attn.z", (1,))
    assert output(gpt, "layer1.head1.key3") == ("blocks.1.attn.scores", (1, None, 3))
    assert output(gpt, "layer1.ffn") == ("blocks.1.ffn.out", ())
    assert output(transformer, "target.layer0.cross.head1") == (
        "decoder.blocks.0.cross_attn.z", (1,),
    )  # fmt: skip
    assert output(transformer, "source.layer0.head0") == ("encoder.blocks.0.attn.z", (0,))


@pytest.mark.parametrize("text", ["layer0", "layer0.ffn.unit1", "words", "embeddings",
                                  "layer99.head0", "layer0.head99", "layer99.ffn",
                                  "source.layer0.head0"])  # fmt: skip
def test_a_place_that_it_does_not_have_gives_nothing(gpt, text):
    assert output(gpt, text) is None


def test_every_output_is_a_site_that_is_recorded(gpt, bert, transformer, t5, bart):
    for model in (gpt, bert, transformer, t5, bart):
        streams = model.blueprint.streams
        for stream in streams if len(streams) > 1 else ("",):
            for part in ("head0", "ffn"):
                name = f"{stream}.layer0.{part}".lstrip(".")
                site, _index = output(model, name)
                assert site in model.catalogue, name
