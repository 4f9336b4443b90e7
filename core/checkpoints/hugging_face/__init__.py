"""Checkpoints in the layout of the ``transformers`` package, one file for each family.

Only what we compute exactly is accepted. Every setting of their config.json has to be understood,
every tensor has to have its place: anything else is an error that names it, never ignored.
"""

from core.checkpoints.hugging_face.checkpoint import is_checkpoint, load
from core.checkpoints.hugging_face.hub import HUB_PREFIX, fetch

__all__ = ["HUB_PREFIX", "fetch", "is_checkpoint", "load"]
