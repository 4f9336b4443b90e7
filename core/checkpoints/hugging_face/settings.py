"""The settings of a foreign config.json: each has to be understood, or the model is another one."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from core.errors import ConfigError
from core.language import N_, Phrase
from core.locale import Choice
from core.nn.feedforward import ActivationName

# By what they compute: "gelu_fast" and "gelu_accurate" are the same tanh formula.
THEIR_ACTIVATIONS: Mapping[str, ActivationName] = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_accurate": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_python_tanh": "gelu_tanh",
    "relu": "relu",
    "relu2": "relu_squared",
    "silu": "silu",
    "swish": "silu",
}

# What ``transformers`` writes for a model of any kind, now or in an older release, and what changes
# nothing in a forward pass without dropout.
_WITHOUT_INFLUENCE = (
    # where the file comes from
    "_name_or_path", "name_or_path", "_commit_hash", "architectures", "transformers_version",
    "tokenizer_class",
    # how it is stored and computed
    "torch_dtype", "dtype", "use_bfloat16", "torchscript", "tf_legacy_loss",
    "chunk_size_feed_forward", "attn_implementation", "_attn_implementation",
    "_attn_implementation_autoset",
    # training, and a classifier's labels
    "gradient_checkpointing", "initializer_range", "finetuning_task", "problem_type", "id2label",
    "label2id", "num_labels", "_num_labels",
    # what a call gives back
    "output_attentions", "output_hidden_states", "output_past", "output_scores", "return_dict",
    "return_dict_in_generate", "use_cache",
    # marks
    "bos_token_id", "eos_token_id", "pad_token_id", "sep_token_id", "cls_token_id", "mask_token_id",
    "unk_token_id", "decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id",
    "force_bos_token_to_be_generated",
    # how a text is generated
    "task_specific_params", "prefix", "max_length", "min_length", "do_sample", "early_stopping",
    "num_beams", "num_beam_groups", "diversity_penalty", "temperature", "top_k", "top_p",
    "typical_p", "repetition_penalty", "encoder_repetition_penalty", "length_penalty",
    "no_repeat_ngram_size", "encoder_no_repeat_ngram_size", "bad_words_ids", "num_return_sequences",
    "remove_invalid_values", "exponential_decay_length_penalty", "suppress_tokens",
    "begin_suppress_tokens",
)  # fmt: skip
# What a model of any kind may say, as long as it says this.
_ALWAYS: Mapping[str, object] = {
    "pruned_heads": {},
    "cross_attention_hidden_size": None,
    "tie_encoder_decoder": False,
    "is_encoder_decoder": False,
    "add_cross_attention": False,
    "tie_word_embeddings": True,
}
_LONGEST = 80  # letters of a setting's name in a message


class ConfigSettings:
    """A config.json, of which every setting is read, known to be harmless, or an error.

    Args:
        theirs: the file's object.
    """

    def __init__(self, theirs: Mapping[str, Any]) -> None:
        self._theirs = theirs
        self._understood = {"model_type", *_WITHOUT_INFLUENCE}

    def size(self, name: str, default: int | None = None) -> int:
        """A whole number; without a default it has to be there.

        Raises:
            ConfigError: it is missing or something else.
        """
        value = self._value(name, default)
        if type(value) is not int:
            problem = N_("must be a whole number, not {value}")
            raise ConfigError(name, Phrase(problem, value=reprlib.repr(value)))
        return value

    def number(self, name: str, default: float) -> float:
        """A number.

        Raises:
            ConfigError: it is something else.
        """
        value = self._theirs.get(name, default)
        self._understood.add(name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            problem = N_("must be a number, not {value}")
            raise ConfigError(name, Phrase(problem, value=reprlib.repr(value)))
        return value

    def flag(self, name: str, default: bool) -> bool:
        """A yes or no.

        Raises:
            ConfigError: it is something else.
        """
        value = self._theirs.get(name, default)
        self._understood.add(name)
        if not isinstance(value, bool):
            problem = N_("must be true or false, not {value}")
            raise ConfigError(name, Phrase(problem, value=reprlib.repr(value)))
        return value

    def word(self, name: str, default: str, among: Collection[str]) -> str:
        """One of some names.

        Raises:
            ConfigError: it is none of them.
        """
        value = self._theirs.get(name, default)
        self._understood.add(name)
        if not isinstance(value, str) or value not in among:
            problem = N_("{value} is not supported; one of {choices}")
            raise ConfigError(
                name, Phrase(problem, value=reprlib.repr(value), choices=Choice(among))
            )
        return value

    def prefixes(self) -> dict[str, str]:
        """What stands before a text for each task that the model was trained for, by its name."""
        tasks = self._theirs.get("task_specific_params")
        every = tasks if isinstance(tasks, Mapping) else {}
        prefixes_ = {
            name: section.get("prefix")
            for name, section in every.items()
            if isinstance(section, Mapping)
        }
        return {name: prefix for name, prefix in prefixes_.items() if isinstance(prefix, str)}

    def activation(self, name: str, default: str | None = None) -> ActivationName:
        """A non-linearity by their name; without a default it has to be there.

        Raises:
            ConfigError: it is missing or none that we have.
        """
        value = self._value(name, default)
        if not isinstance(value, str) or value not in THEIR_ACTIVATIONS:
            problem = N_("{value} is not supported; one of {choices}")
            choices = Choice(THEIR_ACTIVATIONS)
            raise ConfigError(name, Phrase(problem, value=reprlib.repr(value), choices=choices))
        return THEIR_ACTIVATIONS[value]

    def only(self, values: Mapping[str, object]) -> None:
        """Settings that are as we compute it: absent, or of this one value.

        Raises:
            ConfigError: one differs; names it.
        """
        self._understood |= values.keys()
        for name, value in values.items():
            self._check(name, self._theirs.get(name, value), value)

    def says(self, name: str, value: object) -> None:
        """A setting that is as we compute it, but not when it is absent.

        Raises:
            ConfigError: it is missing or differs.
        """
        self._check(name, self._value(name, None), value)

    def _check(self, name: str, value: object, ours: object) -> None:
        if value != ours:
            problem = N_("is {value}, and only {ours} is supported; choose another checkpoint")
            raise ConfigError(name, Phrase(problem, value=reprlib.repr(value), ours=repr(ours)))

    def same(self, name: str, *others: str) -> None:
        """Settings for which we have one number.

        Raises:
            ConfigError: one is there and differs; names it.
        """
        self._understood |= {name, *others}
        first = self._theirs.get(name)
        for other in others:
            value = self._theirs.get(other)
            if value is not None and value != first:
                problem = N_(
                    "is {value}; only models where it equals {name} are supported, {wanted}"
                )
                raise ConfigError(
                    other,
                    Phrase(problem, value=reprlib.repr(value), name=name, wanted=first),
                )

    def without_influence(self, names: Iterable[str]) -> None:
        """Settings that change nothing in a forward pass without dropout."""
        self._understood.update(names)

    def check_all_understood(self) -> None:
        """See that every setting was read or is harmless.

        Raises:
            ConfigError: names the first that is not.
        """
        self.only({name: value for name, value in _ALWAYS.items() if name not in self._understood})
        for name in sorted(self._theirs.keys() - self._understood):
            raise ConfigError(
                name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…",
                N_("is not a setting that this program knows, so the model might compute something "
                   "else; remove it from config.json if you are sure that it changes no result"),
            )  # fmt: skip

    def _value(self, name: str, default: object) -> object:
        self._understood.add(name)
        value = self._theirs.get(name)
        if value is None and default is not None:
            return default
        if name not in self._theirs:
            raise ConfigError(name, N_("missing"))
        return value
