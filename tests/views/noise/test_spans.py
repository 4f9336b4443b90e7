"""Spans cut out of a text: who is asked, what is written for them, what a prefix brings."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core import predict, views, zoo
from core.checkpoints import native
from core.errors import AbilityError
from core.figures.text import shortened
from core.runs.kinds.noise import Target
from core.runs.store import Runs
from core.text.marks import END, START
from core.text.trained import train_joint_bpe
from core.views.noise.spans import FilledSpans, Spanning, read
from tests.conftest import TEXTS, tiny_t5
from tests.views.records import shown, written

TEXT = "The cat sat on the mat. The dog sat on the log."
STRIPS = ("text", "source", "target", "filled")


def of(runs, name="target", **values):
    """A view and its record, of several spans."""
    more = {"span_rate": "0.4", "span_mean": "2", "span_seed": "1"}
    return shown(runs, f"noise.{name}", **{"text": TEXT, "model": "filler", **more, **values})


def joined(chips, group):
    return "".join(chip["label"] for chip in chips if chip["group"] == group)


def test_a_span_has_its_colour_in_the_text_in_the_source_and_in_the_target(runs):
    strips = {}
    for name in STRIPS:
        view, record = of(runs, name)
        header = view.show(record).payload().header
        assert header["field"] == "span"
        assert header["grouped"]
        assert header["coloured"]
        strips[name] = header["tokens"]
    n = len(record.run.spans)
    assert n > 2
    for span in range(n):
        mark = joined(strips["source"], span)
        assert mark == f"<extra_id_{span}>"
        assert joined(strips["target"], span) == mark + joined(strips["text"], span)
    visible = [chip["label"] for chip in strips["text"] if chip["group"] is None]
    assert visible == [c["label"] for c in strips["source"] if c["group"] is None][:-1]


def test_a_span_is_as_likely_as_its_tokens_and_the_mark_that_ends_it(runs):
    view, record = of(runs, "fillings")
    values, target = view.values(record), record.run.wanted
    labels = [token.label for token in target.tokens]
    for span in range(len(record.run.spans)):
        first, last = (labels.index(f"<extra_id_{n}>") for n in (span, span + 1))
        prob = np.prod(target.probs[first + 1 : last + 1])
        assert values["hidden_probability"].array[span] == pytest.approx(prob)
        assert values["hidden"].array[span] == read(target.tokens[first + 1 : last])
    assert view.show(record).values.shape == (1, 2, len(record.run.spans))


def written_as(record: FilledSpans, ids, encoders) -> FilledSpans:
    """The record, had the model written these ids, each with one half."""
    tokens = tuple(map(encoders.tokenizer.token, ids))
    half = np.full(len(ids), 0.5)
    target = Target(tokens, half, tokens, half)
    return FilledSpans(dataclasses.replace(record.run, written=target), Spanning())


def test_what_is_written_belongs_to_the_sentinel_before_it(runs, filler):
    _view, record = of(runs)
    marks, end = filler.tokenizer.hiding, filler.config.end_id
    cat, dog = filler.tokenizer.encode("cat", special=False)[0], record.run.tokens[0].id
    made = written_as(record, [marks[1], cat, marks[0], dog, cat, marks[99], end], filler)
    assert [tuple(t.id for t in one.tokens) for one in made.filled[:3]] == [(dog, cat), (cat,), ()]
    assert made.filled[0].prob == 0.5**3
    assert made.filled[1].prob == 0.5**2
    assert np.isnan(made.filled[2].prob)
    assert "leaves this gap out" in str(made.reading(2))
    empty = written_as(record, [marks[0], marks[1], end], filler)
    assert "By itself it writes nothing there, with 50 %" in str(empty.reading(0))
    same = written_as(record, record.run.wanted.ids, filler)
    assert same.n_exact == len(record.run.spans)
    assert "By itself it writes the same." in str(same.reading(1))


def test_readings_count_what_is_found(runs):
    view, record = of(runs)
    hidden = [token.id for at, token in enumerate(record.run.tokens) if record.run.hidden[at]]
    assert [record.run.wanted.ids[at] for at in record.hidden] == hidden
    n = sum(bool(record.run.wanted.found[at]) for at in record.hidden)
    assert f"{n} of {len(hidden)} hidden tokens are the model's first choice" in str(
        view.describe(record)
    )
    view, record = of(runs, "text")
    said = str(view.describe(record))
    assert said.startswith(f"{len(hidden)} of {len(record.run.tokens)} tokens are hidden")
    assert said.endswith(f"in {len(record.run.spans)} spans.")


def test_the_selected_span_is_read_in_the_file_too(runs):
    for span, other in (("0", "2"), ("2", "0")):
        view, record = of(runs, span=span)
        assert record.span == int(span)
        said = " ".join(written(view, record))
        assert f"<extra_id_{span}> stands for" in said
        assert f"<extra_id_{other}> stands for" not in said


def test_a_typed_mark_hides_nothing_and_that_is_said(runs):
    view, record = of(runs, "text", text="The [MASK] sat on the mat")
    (note,) = view.notes(record)
    assert "read letter by letter" in str(note.text)
    view, record = of(runs, "text")
    assert view.notes(record) == ()


def test_another_seed_draws_other_spans(runs):
    spans = {of(runs, span_seed=str(seed))[1].run.spans for seed in range(6)}
    assert len(spans) > 3


def test_what_is_too_long_for_a_sentence_is_cut():
    assert shortened("abcdef", 6) == "abcdef"
    assert shortened("abcdefg", 6) == "abcde…"


SENTENCE = "The cat sat."


def answer_of(runs, prefix):
    """The view and its record."""
    given = {"model": "filler", "task_text": SENTENCE, "prefix": prefix}
    return shown(runs, "noise.answer", **given)


@pytest.mark.parametrize("prefix", ["", "translate: ", "\x00[MASK] "])
def test_it_is_what_the_front_door_answers(runs, filler, prefix):
    _view, record = answer_of(runs, prefix)
    found = predict.answer(filler, prefix + SENTENCE)
    words = [filler.tokenizer.word(token.id) for token in record.tokens]
    # A search that keeps one text is greedy, and may write one token more or the end mark.
    assert list(found.tokens)[: len(words)] == words
    assert len(found.tokens) - len(words) in (0, 1)
    assert np.log(record.probs).sum() >= found.log_prob - 1e-9


@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ("", "Without a prefix the model writes “the cat sat”, with 13 %."),
        ("sum: ", "Behind “sum:” the model writes “the cat sat”, with 13 %."),
        ("x" * 90, f"Behind “{'x' * 39}…” the model writes “the cat sat”, with 13 %."),
    ],
)
def test_the_answer_is_read_with_its_probability(runs, filler, prefix, said):
    view, record = answer_of(runs, prefix)
    ids = [filler.tokenizer.encode(word, special=False) for word in ("the", " cat", " sat")]
    tokens = [filler.tokenizer.token(one) for word in ids for one in word]
    probs = np.array([0.125] + [1.0] * (len(tokens) - 1))
    made = dataclasses.replace(record, tokens=tokens, probs=probs)
    assert str(view.describe(made)) == said
    assert view.values(made)["answer"].array == "the cat sat"
    marks = filler.tokenizer.hiding[:1]
    empty = dataclasses.replace(
        record, tokens=[filler.tokenizer.token(one) for one in marks], probs=np.ones(1)
    )
    assert "nothing that can be read" in str(view.describe(empty))


SPANS = ("fill_spans", "damaged", "denoise")
VIEWS = [view for view in views.all_views().values() if view.needs.ability in SPANS]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory, mender) -> Runs:
    """Both, saved and loaded again: "t5" and "bart"."""
    root = tmp_path_factory.mktemp("shelf")
    reads = train_joint_bpe(TEXTS, 300)
    ends = {"start_id": reads.id_of(START), "end_id": reads.id_of(END)}
    made = tiny_t5(vocab_size=reads.vocab_size, n_ctx=64, **ends)
    native.save(root / "t5", "t5", made, zoo.Encoders(reads))
    native.save(root / "bart", "bart", mender.model, mender.encoders)
    assert zoo.abilities("t5", root) == {"translate"}
    return Runs(load=lambda name, _device: zoo.load(name, "cpu", root))


@pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])
def test_a_view_of_spans_says_that_it_cannot_and_works_for_the_other(shelf, view):
    model = shelf.model("t5")
    with pytest.raises(AbilityError, match=r"fill in|mend"):
        view.needs.check("t5", model.abilities, model.blueprint)
    bart = shelf.model("bart")
    if view.needs.unmet(bart.abilities, bart.blueprint) is None:
        assert shown(shelf, view.name, model="bart")


def test_it_translates(shelf):
    for name in ("translate.target", "translate.chain"):
        view, record = shown(shelf, name, model="t5", text="The cat sat.")
        assert view.show(record).payload().pack()
