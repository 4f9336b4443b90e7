"""Frozen configs out of the plain values of a file, every name and type checked."""

from __future__ import annotations

import dataclasses
import reprlib
import typing
from collections.abc import Mapping
from typing import Any

from core.errors import ConfigError
from core.language import N_, Phrase

# The values of a field of each type; in a tuple each of them.
_PLAIN: dict[type, str] = {
    int: N_("must be a whole number, not {value}"),
    float: N_("must be a number, not {value}"),
    bool: N_("must be true or false, not {value}"),
    str: N_("must be a name, not {value}"),  # of an activation, say
}


def from_plain(cls: type[Any], sizes: Mapping[str, Any]) -> Any:
    """Make a config of plain values, checking every name and type.

    Raises:
        ConfigError: names the first field that is unknown, missing or of a wrong type.
    """
    fields = {field.name: field for field in dataclasses.fields(cls)}
    types = typing.get_type_hints(cls)
    values = {}
    for name, value in sizes.items():
        if name not in fields:
            raise ConfigError(name, N_("unknown field"))
        values[name] = _value(name, value, types[name])
    for name, field in fields.items():
        if name not in sizes and field.default is dataclasses.MISSING:
            raise ConfigError(name, N_("missing"))
    return cls(**values)


def _value(name: str, value: Any, hint: Any) -> Any:
    """The value of a field; JSON has lists where a config has tuples."""
    if typing.get_origin(hint) is tuple:
        if not isinstance(value, list):
            problem = N_("must be a list, not {value}")
            raise ConfigError(name, Phrase(problem, value=reprlib.repr(value)))
        return tuple(_value(name, item, typing.get_args(hint)[0]) for item in value)
    kind = hint if hint in _PLAIN else str  # a Literal holds names
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise ConfigError(name, Phrase(_PLAIN[kind], value=reprlib.repr(value)))
    return value
