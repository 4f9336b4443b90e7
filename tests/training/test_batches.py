"""Rows for each model, and the batches drawn from them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from core.errors import CorpusError
from core.text.tokenizer import train_byte_bpe, train_wordpiece
from core.training.batches import (
    SegmentRows,
    Segments,
    TokenRows,
    make_batches,
    segment_rows,
)
from core.training.data import TokenStream, tokenizer_sample
from core.training.objectives import IGNORED, PairBatch, Vocabulary
from core.training.recipes import RECIPES, LateMix, Teaching

CLS, SEP, MASK, END = 1, 2, 3, 4
VOCABULARY = Vocabulary(
    mask_id=MASK, continues=np.zeros(60_000, bool), special=np.arange(60_000) < 4
)
ENDS = np.arange(60_000) == END
RATE = 0.15


def a_stream(n_documents: int, n_sentences: int = 12) -> TokenStream:
    """Sentences of different lengths; every id but sentence ends stands in one place only."""
    rng = np.random.default_rng(0)
    documents, at = [], 10
    for _ in range(n_documents):
        document = []
        for _ in range(n_sentences):
            n = int(rng.integers(2, 9))
            document += [*range(at, at + n), END]
            at += n
        documents.append(document)
    starts = np.cumsum([0, *map(len, documents)])
    return TokenStream(np.array([i for d in documents for i in d], np.uint16), starts)


def segments(stream: TokenStream, n_ctx: int = 32, **more) -> Segments:
    return segment_rows(stream, n_ctx, cls_id=CLS, sep_id=SEP, ends_sentence=ENDS, seed=0, **more)


def parts(rows: Segments, r: int) -> tuple[list[int], list[int]]:
    """The two segments of a row, without marks."""
    ids = rows.ids[r, : rows.lengths[r]].tolist()
    assert ids[0] == CLS
    assert ids[-1] == SEP
    if rows.second[r] == rows.lengths[r]:
        return ids[1:-1], []
    assert ids[rows.second[r] - 1] == SEP
    return ids[1 : rows.second[r] - 1], ids[rows.second[r] : -1]


@pytest.fixture(scope="module")
def stream() -> TokenStream:
    return a_stream(150)


def document_of(stream: TokenStream, ids: list[int]) -> int:
    """Which document some ids are a part of, side by side."""
    text = stream.ids.tolist()
    first = next(i for i in ids if i != END)
    at = text.index(first) - ids.index(first)
    assert text[at : at + len(ids)] == ids
    return int(np.searchsorted(stream.starts, at, side="right")) - 1


def test_origins_name_the_source_of_each_row():
    """The rows of one source are all 7, those of the other all 8."""
    sevens, eights = (np.full((40, 33), n, np.uint16) for n in (7, 8))
    rows = TokenRows({"seven": sevens, "eight": eights}, [1, 2], seed=3)
    (batch,) = rows.batch(4090, 12)  # over the border of two blocks
    said = {"seven": 7, "eight": 8}
    assert [said[name] for name in rows.origins(4090, 12)] == batch[:, 0].tolist()


def test_every_row_is_one_or_two_segments_between_marks(stream):
    rows = segments(stream)
    assert (rows.ids.shape[1], len(rows.ids)) == (32, len(rows.lengths))
    assert rows.lengths.max() <= 32
    for r in range(len(rows.ids)):
        assert (rows.ids[r, rows.lengths[r] :] == 0).all()
        first, second = parts(rows, r)
        assert first
        assert bool(second) == (rows.follows[r] != IGNORED)


def test_neighbours_are_neighbours_and_strangers_come_from_elsewhere(stream):
    rows = segments(stream)
    text = stream.ids.tolist()
    n = {0: 0, 1: 0}
    for r in np.flatnonzero(rows.follows != IGNORED):
        first, second = parts(rows, r)
        if {*first} == {END} or {*second} == {END}:
            continue  # the end of a cut sentence: it stands everywhere
        n[int(rows.follows[r])] += 1
        home = document_of(stream, first)
        if rows.follows[r] == 0:
            assert document_of(stream, first + second) == home
        else:
            assert document_of(stream, second) != home
        assert first[-1] == END  # the first segment ends where a sentence ends
        assert text[text.index(second[0]) - 1] == END or second[0] in stream.ids[stream.starts[:-1]]
    assert n[0] / (n[0] + n[1]) == pytest.approx(0.5, abs=0.06)


def test_a_quarter_of_the_rows_is_one_segment(stream):
    rows = segments(stream, p_short=0.0)
    assert (rows.follows == IGNORED).mean() == pytest.approx(0.25, abs=0.08)
    only_pairs = segments(stream, p_single=0.0, p_short=0.0)
    assert (only_pairs.follows == IGNORED).mean() < 0.15  # where one sentence fills the row


def test_rows_are_full_but_for_short_ones_and_ends_of_documents(stream):
    rows = segments(stream, p_short=0.0)
    assert np.median(rows.lengths) >= 30
    assert segments(stream, p_short=0.5).lengths.mean() < rows.lengths.mean() - 4


def test_no_token_is_left_out(stream):
    """But a document's last ones, when fewer than four are left."""
    rows = segments(stream)
    used = {i for r in range(len(rows.ids)) for part in parts(rows, r) for i in part}
    for n in range(stream.n_documents):
        document = set(stream.document(n).tolist()) - {END}
        assert len(document - used) < 4


def test_the_seed_decides(stream):
    one, two = segments(stream), segments(stream)
    assert (one.ids == two.ids).all()
    other = segment_rows(stream, 32, cls_id=CLS, sep_id=SEP, ends_sentence=ENDS, seed=1)
    assert other.ids.shape != one.ids.shape or (other.ids != one.ids).any()


@pytest.mark.parametrize("n_documents", [0, 1, 2])
def test_few_documents_make_rows_too(n_documents):
    rows = segments(a_stream(n_documents) if n_documents else TokenStream(
        np.zeros(0, np.uint16), np.zeros(1, np.int64)))  # fmt: skip
    assert (len(rows.ids) > 0) == (n_documents > 0)
    if n_documents == 1:
        assert not (rows.follows == 1).any()  # there is no elsewhere


# --- batches -----------------------------------------------------------------------


def test_token_rows_come_by_place():
    rows = {"a": np.arange(50, dtype=np.uint16).reshape(10, 5),
            "b": np.arange(1000, 1015, dtype=np.uint16).reshape(3, 5)}  # fmt: skip
    batches = TokenRows(rows, [1, 1], seed=0)
    (whole,) = batches.batch(0, 8)
    assert whole.shape == (8, 5)
    assert whole.dtype == torch.int64
    known = {tuple(row) for of in rows.values() for row in of.tolist()}
    assert {tuple(row) for row in whole.tolist()} <= known
    (later,) = TokenRows(rows, [1, 1], seed=0).batch(5, 3)
    assert later.equal(whole[5:])
    assert batches.of_source("b", 2)[0].tolist() == rows["b"][:2].tolist()
    assert batches.names == ("a", "b")


def test_taught_rows_come_first_in_every_batch():
    """Each source's rows are all one number."""
    rows = {name: np.full((9, 5), n, np.uint16) for n, name in enumerate("abc")}
    plain = TokenRows(rows, [1, 1, 1], seed=0)
    turned = TokenRows(rows, [1, 1, 1], seed=0, first=["c", "a", "never there"])
    for at in (0, 40):
        (before,), (batch,) = plain.batch(at, 40), turned.batch(at, 40)
        numbers = batch[:, 0].tolist()
        assert sorted(numbers) == sorted(before[:, 0].tolist()) != numbers
        assert numbers == sorted(numbers, key=[1, 2, 0].__getitem__)
        assert ["abc"[n] for n in numbers] == turned.origins(at, 40)


def test_written_rows_are_the_share_that_the_recipe_says(corpora_directory, tmp_path):
    teaching = Teaching(
        tiers=("tiny",), first=("written",), rows=2, prompts="tinystories", written=3, share=0.25
    )
    recipe = dataclasses.replace(RECIPES["gpt", "tiny"], repeats=0.25, teaching=teaching)
    tokenizer = train_byte_bpe(tokenizer_sample(recipe.sources, corpora_directory), 300)
    written = np.full((3, recipe.config.n_ctx + 1), 299, np.uint16)
    batches = make_batches(
        recipe, corpora_directory, tokenizer, "train", tmp_path, 0, written=written
    )
    assert batches.names == ("tinystories", "repeats", "written")
    origins = batches.origins(0, 2000)
    shares = {name: origins.count(name) / 2000 for name in batches.names}
    assert shares == pytest.approx({"tinystories": 0.5, "repeats": 0.25, "written": 0.25}, abs=0.04)
    (rows,) = batches.batch(0, 2000)
    n = origins.count("written")
    assert (rows[:n] == 299).all()
    assert not (rows[n:] == 299).all(dim=1).any()


@pytest.fixture(scope="module")
def segment_batches(stream) -> SegmentRows:
    return SegmentRows({"a": segments(stream)}, [1.0], VOCABULARY, seed=0, mask_rate=RATE)


def test_a_batch_hides_words_and_keeps_what_they_were(segment_batches, stream):
    rows = segments(stream)
    batch = PairBatch(*segment_batches.of_source("a", 60))
    for r in range(60):
        length, original = int(rows.lengths[r]), torch.from_numpy(rows.ids[r].astype(np.int64))
        assert batch.mask[r, 0, 0].tolist() == [at < length for at in range(32)]
        assert batch.types[r].tolist() == [int(rows.second[r] <= at < length) for at in range(32)]
        assert batch.follows[r] == rows.follows[r]
        used = batch.targets[r] != IGNORED
        where = batch.positions[r][used]
        assert 1 <= len(where) <= round(RATE * 32) + 1
        assert batch.targets[r][used].equal(original[where])
        untouched = torch.ones(32, dtype=torch.bool)
        untouched[where] = False
        assert batch.ids[r][untouched].equal(original[untouched])


def test_hiding_depends_on_the_place_alone(segment_batches, stream):
    whole = PairBatch(*segment_batches.batch(10, 8))
    again = SegmentRows({"a": segments(stream)}, [1.0], VOCABULARY, seed=0, mask_rate=RATE)
    later = PairBatch(*again.batch(14, 4))
    for mine, theirs in zip(later, whole, strict=True):
        assert mine.equal(theirs[4:])
    other = PairBatch(
        *SegmentRows({"a": segments(stream)}, [1.0], VOCABULARY, 1, RATE).batch(10, 8)
    )
    assert not other.ids.equal(whole.ids)


def test_a_row_is_hidden_anew_in_every_epoch():
    few = segments(a_stream(3))
    batches = SegmentRows({"a": few}, [1.0], VOCABULARY, seed=0, mask_rate=RATE)
    n = len(few.ids)
    first, second = (PairBatch(*batches.batch(at, n)) for at in (0, n))
    assert sorted(first.mask.sum((1, 2, 3)).tolist()) == sorted(second.mask.sum((1, 2, 3)).tolist())
    assert first.targets[first.targets != IGNORED].sum() != (
        second.targets[second.targets != IGNORED].sum()
    )


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_a_recipes_batches_fit_its_model(model, corpora_directory, tmp_path):
    recipe = RECIPES[model, "tiny"]
    train = train_byte_bpe if model == "gpt" else train_wordpiece
    tokenizer = train(tokenizer_sample(recipe.sources, corpora_directory), 300)
    for split in ("train", "held_out"):
        batches = make_batches(recipe, corpora_directory, tokenizer, split, tmp_path, seed=0)
        batch = batches.batch(0, 6)
        if model == "gpt":
            assert batch[0].shape == (6, recipe.config.n_ctx + 1)
            assert (batch[0][:, 0] == tokenizer.end_of_text_id).all()
            assert batches.names == (
                ("tinystories", "repeats") if split == "train" else ("tinystories",)
            )
        else:
            assert batch[0].shape == (6, recipe.config.n_ctx)
            assert (batch[0][:, 0] == tokenizer.id_of("[CLS]")).all()
        assert batch[0].max() < recipe.config.vocab_size


def test_repeats_are_the_share_that_the_recipe_says(corpora_directory, tmp_path):
    recipe = dataclasses.replace(RECIPES["gpt", "tiny"], repeats=0.25)
    tokenizer = train_byte_bpe(tokenizer_sample(recipe.sources, corpora_directory), 300)
    batches = make_batches(recipe, corpora_directory, tokenizer, "train", tmp_path, seed=0)
    (rows,) = batches.batch(0, 2000)
    quarter = recipe.config.n_ctx // 4
    repeats = (rows[:, 1 : 1 + quarter] == rows[:, 1 + quarter : 1 + 2 * quarter]).all(dim=1)
    assert repeats.float().mean().item() == pytest.approx(0.25, abs=0.04)


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_a_late_mix_reaches_the_batches(model, corpora_directory, tmp_path):
    recipe = dataclasses.replace(RECIPES[model, "tiny"], repeats=0.0)
    (source,) = recipe.sources
    twice = dataclasses.replace(
        recipe,
        sources=(source, dataclasses.replace(source, name="again")),
        late=(LateMix(4096, (0.0, 1.0)),),
    )
    train = train_byte_bpe if model == "gpt" else train_wordpiece
    tokenizer = train(tokenizer_sample(recipe.sources, corpora_directory), 300)
    batches = make_batches(twice, corpora_directory, tokenizer, "train", tmp_path, seed=0)
    assert {source for source, _ in batches._mixture.place(4096, 200)} == {1}


@pytest.mark.parametrize("model", ["gpt", "bert"])
def test_too_little_text_is_an_error(model, tmp_path, byte_bpe, wordpiece):
    from tests.training.corpora import pack

    pack(tmp_path / "text_tinystories.txt.xz", "The cat sat.\n\nThe dog sat.")
    tokenizer = byte_bpe if model == "gpt" else wordpiece
    with pytest.raises(CorpusError, match="too little text in the train split to fill one row"):
        make_batches(RECIPES[model, "tiny"], tmp_path, tokenizer, "train", tmp_path / "c", 0)
