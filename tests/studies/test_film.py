"""The film of learning: recorded frame by frame, made again by its command; and the one shipped."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from core.checkpoints.encoders import TOKENIZER_FILE
from core.checkpoints.native import CONFIG_FILE
from core.encoders import Encoders
from core.film import index, models
from core.film.index import FOLDER, INDEX
from core.studies.film import filming
from core.studies.film.knowing import Grams, Questions, loss_on
from core.studies.film.recipe import FILMS, STEPS, TEXTS
from core.text.tokenizer import Tokenizer
from core.training.__main__ import main
from core.training.loop import Trainer
from core.training.measures.heads import head_scores
from core.training.tasks.task import Corpora
from core.zoo import SHELF

LARGEST = 30_000_000  # bytes of all that is recorded for the labs
DRAWN = [0, 1, 3, 10, 12]


def asked(corpora: Path, out: Path, *more: str) -> list[str]:
    return ["film", "--tier", "tiny", "--threads", "1", "--corpora", str(corpora),
            "--out", str(out / "film"), "--run", str(out / "run"),
            "--cache", str(out / "cache"), *more]  # fmt: skip


@pytest.fixture
def quick(monkeypatch):
    """Heads are scored on few texts, where nothing is asked of them."""
    monkeypatch.setattr(filming, "head_scores", partial(head_scores, n_sequences=2))


@pytest.fixture(scope="module")
def made(corpora_directory, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("film")
    assert main(asked(corpora_directory, out, "--steps", "12")) == 0
    return out


def weights_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.safetensors")}


def test_a_film_says_how_it_was_made_and_what_its_frames_know(made, corpora_directory):
    film = index.read(made / "film")
    words = "python -m core.training film --corpora DIR --tier tiny --threads 1"
    assert film.command == f"{words} --cool-down-at 8:4"
    assert film.done
    assert [one.step for one in film.frames] == DRAWN
    assert [one.tokens for one in film.frames] == [128 * step for step in DRAWN]
    assert [one.rate for one in film.frames[:3]] == [0.0, 0.2, 0.6]
    assert film.frames[-1].rate == pytest.approx(0.03)
    assert film.curve[-1][0] == 12
    assert film.baselines["uniform"] == pytest.approx(math.log(512), abs=1e-4)
    assert film.frames[0].held == pytest.approx(math.log(512), abs=0.1)
    assert film.frames[-1].held < film.frames[0].held - 1
    assert sorted(film.files) == sorted(
        [CONFIG_FILE, TOKENIZER_FILE, *(one.file for one in film.frames)]
    )
    assert {path.name for path in (made / "film").iterdir()} == {INDEX, *film.files}


def test_its_figures_are_those_of_the_stored_weights(made, corpora_directory):
    """Of rows that are read anew, by a loop that knows nothing of the film's."""
    film, task = index.read(made / "film"), FILMS["tiny"].task
    for frame in film.frames[::4]:
        model = models.load(frame.name, "cpu", made / "film")
        corpora = Corpora(corpora_directory, made / "cache", model.encoders, 0)
        (batch,) = task.read(corpora, "held_out").batches("stable")
        (ids,) = batch.examples
        with torch.no_grad():
            losses = [
                F.cross_entropy(model.model(row[None, :-1])[0], row[1:]).item() for row in ids
            ]
        assert frame.held == pytest.approx(sum(losses) / len(losses), abs=1e-4)
        assert frame.sources == {"tinystories": frame.held}
        assert frame.heads == pytest.approx(head_scores(model), abs=1e-4)
        for text, loss in frame.texts.items():
            assert loss == pytest.approx(loss_on(model, model.fit(text)[0]), abs=1e-4)


def test_its_command_makes_the_same_weights(made, corpora_directory, tmp_path, quick):
    words = index.read(made / "film").command.removeprefix("python -m core.training ").split()
    again = [str(corpora_directory) if word == "DIR" else word for word in words]
    places = ["--out", str(tmp_path / "film"), "--run", str(tmp_path / "run"),
              "--cache", str(tmp_path / "cache")]  # fmt: skip
    assert main([*again, *places]) == 0
    assert weights_of(tmp_path / "film") == weights_of(made / "film")


def test_a_run_that_was_stopped_goes_on(made, corpora_directory, tmp_path, quick, monkeypatch):
    """What was filmed after its last checkpoint is filmed anew; what was filmed before stays."""
    step = Trainer.step

    def stopping(self, batches, progress):
        norm = step(self, batches, progress)
        if progress.step == 5:
            self.stop()
        return norm

    monkeypatch.setattr(Trainer, "step", stopping)
    out = asked(corpora_directory, tmp_path, "--cool-down-at", "8:4")
    assert main(out) == 130
    half = index.read(tmp_path / "film")
    assert [one.step for one in half.frames] == [0, 1, 3]
    assert not half.done
    assert "cool-down" not in half.command
    assert main(out) == 2  # an unfinished run is left alone
    later = [*half.frames, replace(half.frames[-1], step=11, file="00011.safetensors")]
    (tmp_path / "film" / "00011.safetensors").write_bytes(b"of steps that were lost")
    stored = index.stored(tmp_path / "film" / "00011.safetensors")
    lost = replace(half, frames=tuple(later), files={**half.files, "00011.safetensors": stored})
    index.write(lost, tmp_path / "film")
    monkeypatch.setattr(Trainer, "step", step)
    assert main([*out[:-2], "--resume"]) == 0
    whole, other = index.read(tmp_path / "film"), index.read(made / "film")
    assert [one.step for one in whole.frames] == DRAWN
    assert weights_of(tmp_path / "film") == weights_of(made / "film")
    assert (whole.command, whole.curve) == (other.command, other.curve)
    assert [one.held for one in whole.frames] == [one.held for one in other.frames]


def test_a_new_film_takes_the_place_of_an_old_one(made, corpora_directory, tmp_path, quick):
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "09999.safetensors").write_bytes(b"old")
    assert main(asked(corpora_directory, tmp_path, "--steps", "1", "--seed", "3")) == 0
    film = index.read(tmp_path / "film")
    assert [one.step for one in film.frames] == [0, 1]
    assert "--seed 3" in film.command
    assert "09999.safetensors" not in film.files


@pytest.mark.parametrize(
    ("more", "said"),
    [(["--seed", "-1"], "seed"), (["--resume"], "no run has written a checkpoint"),
     ([], "no such file; name the corpora")],
)  # fmt: skip
def test_a_mistake_is_one_line(more, said, tmp_path, capsys):
    assert main(asked(tmp_path / "nowhere", tmp_path, *more)) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


# --- what is counted -----------------------------------------------------------------


def test_counts_are_probabilities_and_follow_the_rows():
    rows = torch.tensor([[0, 1, 2, 1], [0, 1, 2, 3]])
    grams = Grams.count(rows, 5)
    for log in (grams.unigram, *grams.bigram):
        assert log.exp().sum().item() == pytest.approx(1)
    # 1, 2, 1 and 1, 2, 3 were next, and each entry counts once more.
    assert grams.unigram.exp().tolist() == pytest.approx([1 / 11, 4 / 11, 3 / 11, 2 / 11, 1 / 11])
    # After 2 came 1 and 3, once each: two followers of two share half with all others.
    wanted = [(seen + 2 * share) / 4 for seen, share in
              zip([0, 1, 0, 1, 0], grams.unigram.exp().tolist(), strict=True)]  # fmt: skip
    assert grams.bigram[2].exp().tolist() == pytest.approx(wanted)
    # Nothing ever came after 4: the tokens alone say what does.
    assert grams.bigram[4].tolist() == pytest.approx(grams.unigram.tolist())


def test_a_model_that_counts_is_no_distance_from_its_counts(made, corpora_directory):
    """The questions ask the right rows: answers made of the counts themselves are recognised."""
    tokenizer = Tokenizer.from_file(made / "film" / TOKENIZER_FILE)
    corpora = Corpora(corpora_directory, made / "cache", Encoders(tokenizer), 0)
    questions = Questions.of(FILMS["tiny"].task, corpora)
    base = questions.baselines()
    assert base["uniform"] > base["unigram"] > base["bigram"]
    model = models.load("film@0", "cpu", made / "film")
    for name, answer in (
        ("unigram", lambda ids: questions.grams.unigram.expand(*ids.shape, -1)),
        ("bigram", lambda ids: questions.grams.bigram[ids]),
    ):
        known = questions.answered(replace(model, model=answer))
        assert known.away[name] == pytest.approx(0, abs=1e-5)
        assert known.held == pytest.approx(base[name], abs=1e-5)
        other = {"unigram": "bigram", "bigram": "unigram"}[name]
        assert 0.1 < known.away[other] < 1


# --- the film that ships -------------------------------------------------------------


@pytest.fixture(scope="module")
def film() -> index.Film:
    return index.read()


def test_the_shipped_film_is_whole_and_small(film):
    assert film.done
    assert film.tier == "cpu"
    for name in film.files:
        index.check(film, name)
    assert {path.name for path in FOLDER.iterdir()} == {INDEX, *film.files}
    assert 14 <= len(film.frames) <= 16
    assert {one.step for one in film.frames[:-1]} <= STEPS
    size = sum(path.stat().st_size for path in (*FOLDER.iterdir(), *_curves()))
    assert size < LARGEST
    assert sum(one.bytes for one in film.files.values()) < 23_000_000


def _curves() -> list[Path]:
    return list((FOLDER.parent / "curves").glob("*.json"))


def test_the_shipped_film_is_that_of_its_recipe(film):
    recipe = FILMS["cpu"]
    model = models.load(film.frames[-1].name, "cpu")
    assert model.config == recipe.network
    assert film.config == json.loads((FOLDER / CONFIG_FILE).read_text())["config"]
    assert film.parameters == model.n_parameters
    assert film.training["tokens"] == recipe.task.tokens
    assert film.training["repeats"] == recipe.task.repeats
    assert film.training["stable"]["shares"] == dict(recipe.task.stable.shares)
    assert film.training["optimiser"]["lr"] == recipe.optimiser.lr
    assert [one["name"] for one in film.sources] == [s.name for s in recipe.task.sources]
    assert film.commit
    assert "+" not in film.commit


def test_its_command_is_one_that_is_taken_and_tells_the_fall(film):
    assert film.command.startswith("python -m core.training film --corpora DIR --threads 1 ")
    _, _, falls = film.command.partition(" --cool-down-at ")
    start, n = falls.split(",")[-1].split(":")
    assert int(start) + int(n) == film.frames[-1].step


def test_its_losses_fall_past_the_baselines(film):
    held = [one.held for one in film.frames]
    assert all(later < earlier + 0.02 for earlier, later in pairwise(held))
    base = film.baselines
    assert held[0] == pytest.approx(base["uniform"], abs=0.1)
    assert base["uniform"] > base["unigram"] > base["bigram"] > held[-1]
    assert film.frames[-1].train < base["bigram"]
    for line in ("sources", "texts"):
        first, last = (getattr(one, line) for one in (film.frames[0], film.frames[-1]))
        assert list(first) == list(last)
        assert all(last[name] < first[name] - 2 for name in first)
    assert tuple(film.frames[0].texts) == TEXTS


def test_it_learns_to_count_before_it_learns_more(film):
    """It comes near the counts of tokens first, then of pairs, and then leaves both behind."""
    nearest = {
        name: min(film.frames, key=lambda one: one.away[name]).step
        for name in ("unigram", "bigram")
    }
    assert 0 < nearest["unigram"] < nearest["bigram"] < film.frames[-1].step


def test_an_induction_head_begins_to_form_in_it(film):
    def best(frame: index.FilmFrame) -> float:
        return max(v for name, v in frame.heads.items() if name.startswith("induction/"))

    uniform = best(film.frames[0])
    assert uniform < 0.012  # of 64 to 126 tokens that may be attended to, one
    assert best(film.frames[-1]) > 8 * uniform
    assert max(map(best, film.frames[:9])) < 1.1 * uniform  # there is none for a long time
    assert film.frames[-1].heads["repeat_gain"] > 1


@pytest.mark.parametrize("at", [0, 5, -1])
def test_its_figures_can_be_computed_again_without_the_corpora(film, at):
    frame = film.frames[at]
    model = models.load(frame.name, "cpu")
    for text, loss in frame.texts.items():
        ids = torch.tensor(model.encode(model.fit(text)[0]))
        with torch.no_grad():
            logits = model.model(ids[None])[0, :-1]
        picked = logits.log_softmax(-1).gather(1, ids[1:, None])
        assert loss == pytest.approx(-picked.mean().item(), abs=1e-3)
    assert dict(frame.heads) == pytest.approx(head_scores(model), rel=1e-3, abs=1e-3)


def test_its_tokens_are_those_of_the_shipped_writer(film):
    whole = Tokenizer.from_file(SHELF / "gpt" / TOKENIZER_FILE)
    own = Tokenizer.from_file(FOLDER / TOKENIZER_FILE)
    assert all(own.token(n) == whole.token(n) for n in range(own.vocab_size))
