"""Checkpoints of the Hub."""

from __future__ import annotations

from pathlib import Path

from core.checkpoints.encoders import TOKENIZER_FILE
from core.checkpoints.hugging_face.files import INDEX_FILE
from core.checkpoints.native import CONFIG_FILE
from core.errors import CheckpointError
from core.language import N_, Phrase

HUB_PREFIX = "hf:"


def fetch(name: str) -> Path:
    """Get a checkpoint of the Hub, from its local cache when it is there.

    Raises:
        CheckpointError: it could not be had.
    """
    from huggingface_hub import snapshot_download  # slow, and seldom needed

    patterns = [CONFIG_FILE, TOKENIZER_FILE, INDEX_FILE, "*.safetensors"]
    try:
        # "*" also stands for folders, which hold the same in other formats.
        return Path(snapshot_download(name, allow_patterns=patterns, ignore_patterns="*/*"))
    except Exception as problem:
        raise CheckpointError(
            f"{HUB_PREFIX}{name}",
            Phrase(N_("could not be fetched ({reason})"), reason=str(problem)),
        ) from problem
