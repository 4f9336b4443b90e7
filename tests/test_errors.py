"""Errors: one tree, each with its fields, each sentence as a person reads it."""

from __future__ import annotations

import inspect
import pickle

import pytest

from core import errors
from core.errors import CoreError
from core.language import Phrase

EXAMPLES = {
    errors.ConfigError("d_ff", "missing"): "config field 'd_ff': missing",
    errors.DeviceUnavailableError("tpu", ["auto", "cpu"]): (
        "device 'tpu' is not available here; choose one of auto, cpu"
    ),
    errors.CheckpointError("a/b", "no such file"): "a/b: no such file",
    errors.UnknownModelError("x", ["bert", "gpt"]): "x: no such model; on the shelf: bert, gpt",
    errors.UnknownModelError("x", []): "x: no such model; on the shelf: none",
    errors.EmptyInputError(): "the text is empty: type at least one word",
    errors.NoWordError(): (
        "the model knows no word of this text, so there is nothing to hide: type another text"
    ),
    errors.HalfCharacterError(1200, "\udc00"): "character 1,200 of the text is U+DC00, half "
    "a character: remove it",
    errors.InputTooLongError(1024, 20_000): "the text has 20,000 tokens and the model's "
    "context holds 1,024: shorten the text",
    errors.InputTooLongError(48, 600, characters=True): "the text has 600 characters and the "
    "model's context holds 48: shorten the text",
    errors.NoRoomError(1, 2): (
        "the model has a context length of 1, and its own markers take 2, so no text fits: "
        "choose another model"
    ),
    errors.MaskError((2, 3), (4, 4)): "the mask has shape (2, 3), and this run needs (4, 4)",
    errors.AbilityError("gpt", "fill gaps"): "model GPT cannot fill gaps",
    errors.NoWordsError(): ("this model has no head that predicts words: choose another model"),
    errors.NoPartError("attention"): "this model has no attention: choose another model",
    errors.UnknownSiteError("a.b"): "this run recorded no site 'a.b'",
    errors.UnknownSiteError("a.b", ["a.c"]): "this run recorded no site 'a.b'; did you mean a.c?",
    errors.ModelChangedError(): ("the model has learned since this run was recorded: run it again"),
    errors.NoWeightsError("gpt"): (
        "a stored run has no weights: load the model gpt and run it again"
    ),
    errors.MissingMarkError("[MASK]"): (
        "the tokenizer has no mark '[MASK]': choose a model or a tokenizer that has it"
    ),
    errors.EditError("a", "axis 0 has 2 entries"): "edit of 'a': axis 0 has 2 entries",
    errors.ParameterError("k", 0, "at least 1"): "k is 0; it must be at least 1",
    errors.LinesError(Phrase("line {n} has no label: write one", n=2)): (
        "line 2 has no label: write one"
    ),
    errors.JobError("the process has ended: try again"): "the process has ended: try again",
    errors.SnapshotError("gpt@40"): (
        "the copy gpt@40 of a learning model is no longer kept; start the training again"
    ),
    errors.LessonError("a.md", 3, "no title"): "a.md, line 3: no title",
    errors.ExpressionError("1 +", "it is no expression"): "'1 +': it is no expression",
    errors.NoQuestionError("Type more."): "Type more.",
    errors.CorpusError("x.xz", "no such file"): "x.xz: no such file",
}


@pytest.mark.parametrize(("error", "message"), EXAMPLES.items(), ids=lambda v: str(v)[:40])
def test_each_says_what_happened(error, message):
    assert str(error) == message
    assert error.sentence() == message  # untranslated, the sentence is the same
    assert isinstance(error, CoreError)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda v: str(v)[:40])
def test_each_goes_from_one_process_to_another(error):
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert (str(arrived), arrived.sentence()) == (str(error), error.sentence())
    assert vars(arrived) == vars(error)


def test_every_error_has_an_example():
    tree = {
        cls for _, cls in inspect.getmembers(errors, inspect.isclass) if issubclass(cls, CoreError)
    }
    assert tree - {type(error) for error in EXAMPLES} == {CoreError, errors.InputError}


def test_the_picture_of_the_tree_names_them_all():
    for error in EXAMPLES:
        assert type(error).__name__ in errors.__doc__


@pytest.mark.parametrize("text", ["{x}", "{", "}{", "%s", "<b>", "{0.__class__}"])
def test_what_a_user_typed_is_never_a_template(text):
    for error in (errors.ParameterError("k", text, text), errors.CheckpointError(text, text)):
        assert text in str(error)
        assert text in error.sentence()


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        (2**70, "1180591620717411303424"), (10**400, "10^400"), (-(10**5000), "-10^5000"),
        (True, "True"), (1e39, "1e+39"), ("9" * 60, "'" + "9" * 60 + "'"),
    ],
    ids=range(6),
)  # fmt: skip
def test_a_number_of_any_length_can_be_quoted(value, quoted):
    """Python writes no whole number of more than 4,300 digits."""
    assert str(errors.ParameterError("k", value, "at least 1")).startswith(f"k is {quoted}; it")


def test_an_unknown_site_is_what_a_mapping_raises():
    assert isinstance(errors.UnknownSiteError("a"), KeyError)


def test_a_value_of_a_stranger_is_quoted_no_further_than_it_helps():
    for value in ("x" * 50_000, ["x" * 50_000], "\x00" * 50_000):
        assert len(errors.ParameterError("view", value, "a name").sentence()) < 250
        assert len(errors.ParameterError.near_to("view", str(value), ["a", "b"]).sentence()) < 300
        assert len(errors.DeviceUnavailableError(str(value), ["cpu"]).sentence()) < 300
    assert errors.quoted("x" * 100) == repr("x" * 100)
