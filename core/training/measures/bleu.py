"""How close translations come to those that people wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.errors import ParameterError
from core.language import N_
from core.predict import translate
from core.zoo import LoadedModel


def bleu(model: LoadedModel, pairs: Sequence[tuple[str, str]], *, beams: int = 4) -> float:
    """Corpus BLEU of beam search against one reference a sentence, 0 to 100.

    Papineni et al. 2002, as sacrebleu computes it (Post 2018): cased, tokenised by 13a.

    Args:
        model: translates.
        pairs: sentences and their translations.
        beams: of the search; the length penalty has alpha 0.6 (Vaswani et al. 2017, section 6.1).

    Raises:
        ParameterError: sacrebleu is not installed.
    """
    score = metric()
    translations = [translate(model, model.fit(source)[0], beams).text for source, _ in pairs]
    return float(score.corpus_score(translations, [[target for _, target in pairs]]).score)


def metric() -> Any:
    """Sacrebleu's BLEU: cased, 13a.

    Raises:
        ParameterError: sacrebleu is not installed.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as missing:
        raise ParameterError(
            "sacrebleu", None, N_("installed to measure BLEU: pip install -r requirements-dev.txt")
        ) from missing
    return BLEU()
