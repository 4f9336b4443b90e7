"""``translate``: the beam search on a loaded model, and what it says of mistakes."""

from __future__ import annotations

import pytest
import torch

from core.encoders import Encoders
from core.errors import AbilityError, InputTooLongError, ParameterError
from core.inputs import Text
from core.models.transformer import Transformer, TransformerConfig
from core.predict import translate
from core.text.trained import train_joint_bpe
from core.zoo import LoadedModel

TEXT = "Le chat dort."


@pytest.fixture(scope="module")
def model() -> LoadedModel:
    tokenizer = train_joint_bpe(["The cat sleeps. It rains.", "Le chat dort. Il pleut."] * 3, 300)
    config = TransformerConfig(vocab_size=300, n_ctx=24, d_model=16, encoder_n_layers=1,
                               decoder_n_layers=1, n_heads=2, d_ff=32, start_id=1,
                               end_id=2)  # fmt: skip
    network = Transformer(config, torch.Generator().manual_seed(0)).eval()
    return LoadedModel(
        "tiny", "transformer", network, Encoders(tokenizer), "", {}, torch.device("cpu")
    )


def test_the_best_translation_comes_first_with_the_others(model):
    found = translate(model, TEXT)
    assert len(found.best) == 4
    assert [b.score for b in found.best] == sorted((b.score for b in found.best), reverse=True)
    best = found.best[0]
    assert (found.text, found.tokens, found.log_prob) == (best.text, best.tokens, best.log_prob)
    assert "".join(best.tokens).replace("</s>", "") == best.text
    assert translate(model, TEXT) == found


def test_one_beam_is_what_a_run_without_a_target_writes(model):
    (greedy,) = translate(model, TEXT, beams=1).best
    (row,) = model.prepare(Text(TEXT)).streams
    written = row["target"]
    assert written.written
    ids = [token.id for token in written.tokens[1:]]
    assert model.decode(ids) == greedy.text[: len(model.decode(ids))]
    assert len(greedy.tokens) - len(ids) <= 1  # the end mark, or the last that the room holds


def test_the_score_is_the_probability_over_wus_penalty(model):
    for one in translate(model, TEXT, beams=3).best:
        assert one.log_prob < 0
        assert one.score == pytest.approx(one.log_prob / ((5 + len(one.tokens)) / 6) ** 0.6)


@pytest.mark.parametrize(("more", "name"), [({"beams": 0}, "beams"), ({"alpha": -1.0}, "alpha")])
def test_settings_that_make_no_sense_are_refused(model, more, name):
    with pytest.raises(ParameterError, match=name):
        translate(model, TEXT, **more)


def test_what_does_not_fit_or_cannot_translate_is_an_error(model, gpt):
    with pytest.raises(InputTooLongError):
        translate(model, TEXT * 20)
    with pytest.raises(AbilityError, match="translate"):
        translate(gpt, TEXT)
