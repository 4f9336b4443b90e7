"""A smaller tokenizer out of a larger one: byte-level BPE that stopped learning earlier."""

from __future__ import annotations

import json
from pathlib import Path

import tokenizers

from core.errors import CheckpointError, ParameterError
from core.language import N_, Phrase
from core.text.families import read_backend
from core.text.tokenizer import Tokenizer


def first_entries(path: Path, n: int) -> Tokenizer:
    """The tokenizer of a file as it was when it had learned ``n`` entries.

    Merges are learned one after the other, each makes the next entry. So every entry that stays
    has the id and the spelling that it has in the file, and a text is cut into smaller pieces.

    Raises:
        CheckpointError: the file is missing, or not byte-level BPE whose merges made its last
            entries in their order.
        ParameterError: there are not so many entries, or some that are not learned would go.
    """
    whole = json.loads(read_backend(path).to_str())
    model = whole["model"]
    vocab, merges = model["vocab"], model.get("merges", [])
    n_first = len(vocab) - len(merges)  # the marks and the bytes
    joined = [vocab.get(a + b) for a, b in merges]
    if not merges or joined != list(range(n_first, len(vocab))):
        raise CheckpointError(
            path, N_("its merges must make its last entries, one after the other")
        )
    if not n_first <= n <= len(vocab):
        raise ParameterError(
            "entries", n, Phrase(N_("between {low} and {high}"), low=n_first, high=len(vocab))
        )
    model["vocab"] = {piece: token_id for piece, token_id in vocab.items() if token_id < n}
    model["merges"] = merges[: n - n_first]
    return Tokenizer(tokenizers.Tokenizer.from_str(json.dumps(whole)))
