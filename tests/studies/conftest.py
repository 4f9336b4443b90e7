"""What is trained to be recorded reads the same corpora."""

from tests.training.conftest import corpora_directory, say_it_was_on_a_gpu, translator

__all__ = ["corpora_directory", "say_it_was_on_a_gpu", "translator"]
