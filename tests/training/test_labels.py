"""Texts and pairs with a label: what is read, how it is laid out, and how it is measured."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import torch

from core.encoders import Encoders
from core.errors import AbilityError, CorpusError
from core.inputs import Pair, Text
from core.models.bert import BERT
from core.text.tokenizer import Tokenizer
from core.training.beginning import anew
from core.training.labelled import NEGATED, Labelled, LabelledFile, negates
from core.training.loop import Trainer
from core.training.measures import labels as measures
from core.training.optimisers import make_optimisers
from core.training.progress import RunSettings
from core.training.recipes import RECIPES
from core.training.recipes.finetuned import BODY_PARTS
from core.training.tasks.labels import Labelling
from core.training.tasks.task import Corpora
from core.zoo import LoadedModel
from tests.conftest import loaded, tiny_bert
from tests.training.corpora import pack_table

TEXTS, PAIRS = (RECIPES[name, "tiny"].task for name in ("bert_sentiment", "bert_nli"))
assert isinstance(TEXTS, Labelling)
assert isinstance(PAIRS, Labelling)
FEELINGS, KINDS = ("negative", "positive"), ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="module")
def tokenizer(corpora_directory) -> Tokenizer:
    network = tiny_bert(vocab_size=300).config
    return PAIRS.encoders(corpora_directory, network).tokenizer


@pytest.fixture
def corpora(corpora_directory, tokenizer, tmp_path) -> Corpora:
    return Corpora(corpora_directory, tmp_path, Encoders(tokenizer), seed=0)


def sorter(tokenizer: Tokenizer, labels: tuple[str, ...], **more) -> LoadedModel:
    """A BERT of random weights that chooses among labels."""
    heads = {"masked_words": False, "sentence_pairs": False, "labels": labels}
    model = tiny_bert(vocab_size=tokenizer.vocab_size, n_ctx=48, **heads, **more)
    return loaded(model.double(), tokenizer)


@pytest.mark.parametrize("task", [TEXTS, PAIRS], ids=["texts", "pairs"])
def test_nothing_that_a_model_is_measured_on_is_learned_from(task, tmp_path, corpora_directory):
    unseen = {
        one.letters for name in task.unseen for one in task.table.read(corpora_directory / name)
    }
    everything = task.table.read(corpora_directory / task.source.file)
    train, held_out = (task.examples(corpora_directory, split) for split in ("train", "held_out"))
    assert any(one.letters in unseen for one in everything)
    assert not any(one.letters in unseen for one in train + held_out)
    assert len(train) + len(held_out) == sum(one.letters not in unseen for one in everything)
    assert not {one.letters for one in train} & {one.letters for one in held_out}


@pytest.mark.parametrize("task", [TEXTS, PAIRS], ids=["texts", "pairs"])
def test_a_row_is_what_the_model_reads(task, corpora, tokenizer):
    """Ids, segments and masks of a batch are those of a run on the same text or pair."""
    labels = FEELINGS if task is TEXTS else KINDS
    model = sorter(tokenizer, labels, of_pairs=task is PAIRS)
    examples = task.examples(corpora.directory, "train")
    known = {tuple(model.prepare(one.given).tensors["tokens"][0].tolist()): one for one in examples}
    for batch in itertools.islice(task.read(corpora, "train").batches("stable"), 4):
        ids, types, mask, numbers = batch.examples
        assert batch.n == int(mask.sum())
        for row in range(len(ids)):
            n = int(mask[row].sum())
            one = known[tuple(ids[row, :n].tolist())]
            assert int(numbers[row]) == one.label
            alone = model.prepare(one.given)
            segments = torch.zeros(n, dtype=int) if alone.types is None else alone.types[0]
            assert types[row, :n].equal(segments)
            assert not mask[row, 0, 0, n:].any()
        own = model.model(ids, types=types, mask=mask)[0]
        first = known[tuple(ids[0, : int(mask[0].sum())].tolist())]
        prepared = model.prepare(first.given)
        asked = {} if prepared.types is None else {"types": prepared.types}
        torch.testing.assert_close(own, model.model(prepared.tensors["tokens"], **asked)[0])


def test_rows_of_a_batch_are_of_like_length(corpora):
    shapes = {shape.length: shape.rows for shape in PAIRS.shapes}
    for batch in itertools.islice(PAIRS.read(corpora, "train").batches("stable"), 8):
        rows, length = batch.examples.ids.shape
        assert shapes[length] == rows
    named = [batch.source for batch in PAIRS.read(corpora, "held_out").batches("stable")]
    assert set(named) <= {f"up to {length} tokens" for length in shapes}


class Judge:
    """One that knows the label by the length of its input, and is asked in batches."""

    def __init__(self, model: LoadedModel) -> None:
        self.blueprint, self.prepare = model.blueprint, model.prepare
        self.fitted = model.fitted

    def as_classifier(self, ability):
        assert ability == "classify_text"

        def sort(ids, mask):
            n = mask[:, 0, 0].sum(dim=-1)
            return torch.nn.functional.one_hot((n > 4).long(), 2).double()

        return sort


def test_the_measure_is_the_share_that_is_right_of_all_and_of_each_kind(tokenizer):
    examples = [
        Labelled(Text("no"), 0, "short"),
        Labelled(Text("a good warm film ."), 1, "long"),
        Labelled(Text("a good and funny film ."), 0, "long"),
        Labelled(Text("maybe"), 0, "short"),
    ]
    found = measures.accuracy(Judge(sorter(tokenizer, FEELINGS)), examples, "accuracy/x")
    assert found == {"accuracy/x": 0.75, "accuracy/x/short": 1.0, "accuracy/x/long": 0.5}
    pairs = [Labelled(Pair("a film", "no"), 0)]
    with pytest.raises(AbilityError, match="cannot say how two texts go together"):
        measures.accuracy(sorter(tokenizer, FEELINGS), pairs, "x")


def test_a_head_on_a_frozen_body_is_fitted_the_same_each_time(corpora_directory, tokenizer):
    # It knows the words of these texts: in letters alone they may lie anywhere.
    reads = TEXTS.encoders(corpora_directory, tiny_bert(vocab_size=300).config).tokenizer
    body = loaded(tiny_bert(vocab_size=reads.vocab_size, n_ctx=48), reads)
    before = {name: weight.clone() for name, weight in body.model.state_dict().items()}
    train = TEXTS.examples(corpora_directory, "train")
    unseen = TEXTS.table.read(corpora_directory / TEXTS.unseen[0])
    once, again = (measures.frozen_accuracy(body, train, unseen, "frozen_body/x") for _ in "ab")
    assert once == again
    # Words of two kinds lie apart even in random vectors.
    assert once["frozen_body/x"] > 0.7
    assert all(weight.equal(before[name]) for name, weight in body.model.state_dict().items())
    with pytest.raises(AbilityError):
        measures.frozen_accuracy(sorter(tokenizer, FEELINGS), train, unseen, "x")


def test_a_frozen_body_stays_as_it_was_and_its_head_learns(corpora_directory, tmp_path):
    recipe = replace(RECIPES["bert_sentiment", "tiny"], frozen=BODY_PARTS)
    begun = anew(recipe, corpora_directory, tmp_path, tmp_path, seed=0)
    assert isinstance(begun.model, BERT)
    before = {name: weight.clone() for name, weight in begun.model.state_dict().items()}
    corpora = Corpora(corpora_directory, tmp_path, begun.encoders, seed=0)
    settings = RunSettings(out=tmp_path / "run", minutes=1, device=torch.device("cpu"), steps=3,
                           falls=(), compile=False, bf16=False, resume=False,
                           from_shelf=False)  # fmt: skip
    trainer = Trainer(recipe, begun.model, corpora, settings, lambda line: None)
    (adam,) = make_optimisers(begun.model, recipe.optimiser, torch.device("cpu"))
    assert sum(len(group["params"]) for group in adam.param_groups) == 2
    trainer.run()
    moved = {n for n, weight in begun.model.state_dict().items() if not weight.equal(before[n])}
    assert moved == {"classifier.weight", "classifier.bias"}


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([("text", "label"), ("fine", "2")], "label 2 is none of 0, 1"),
        ([("sentence", "label"), ("fine", "1")], "no column 'text' among"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path, rows, problem):
    pack_table(tmp_path / "x.tsv.xz", *rows)
    with pytest.raises(CorpusError, match=problem):
        LabelledFile(("text",), ("0", "1")).read(tmp_path / "x.tsv.xz")


def test_too_few_texts_are_an_error(tmp_path, tokenizer):
    for name in (TEXTS.source.file, *TEXTS.unseen):
        pack_table(tmp_path / name, ("text", "label"), ("fine", "1"))
    corpora = Corpora(tmp_path, tmp_path, Encoders(tokenizer), seed=0)
    with pytest.raises(CorpusError, match="too few labelled texts"):
        TEXTS.read(corpora, "train")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It isn't bad.", True),
        ("Not bad!", True),
        ("i have never laughed so much", True),
        ("(no plot)", True),
        ("a notable film", False),
        ("another northern story", False),
        ("", False),
    ],
)
def test_a_negation_is_a_word(text, said):
    assert negates(text) == said


def test_what_negates_is_read_more_often_and_measured_by_itself(tmp_path, tokenizer):
    texts = [(f"{word} film number {n}", "1") for n in range(40) for word in ("fine", "not a bad")]
    for name in (TEXTS.source.file, *TEXTS.unseen):
        seen = texts if name == TEXTS.source.file else [("never", "0")]
        pack_table(tmp_path / name, ("text", "label"), *seen)
    corpora = Corpora(tmp_path, tmp_path, Encoders(tokenizer), seed=0)
    examples = TEXTS.examples(corpora.directory, "train")
    negated = [one for one in examples if one.kind == NEGATED]
    plain = replace(TEXTS, often=())
    n = {task: sum(map(len, task.read(corpora, "train")._buckets)) for task in (TEXTS, plain)}
    assert TEXTS.often == ((NEGATED, 3),)
    assert negated
    assert n[TEXTS] - n[plain] == 2 * len(negated)
    assert {one.kind for one in examples} == {NEGATED, ""}
