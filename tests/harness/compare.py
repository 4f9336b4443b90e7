"""Compares what two commits show: words exactly, numbers to 1e-5, pictures to a step of colour."""

from __future__ import annotations

import base64
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.harness.extract import NUMBER

RELATIVE = 1e-5
NOISE = 1e-6  # of the largest number of an array: what rounding may leave where there should be 0
ALONE = 1e-8  # the same for a number that stands by itself
# Lists of words in no order that matters: their layout may change, none may be lost.
BAGS = frozenset({"notes", "drawing", "words", "figures", "places"})
MISSING = type("Missing", (), {"__repr__": lambda self: "nothing"})()


@dataclass(frozen=True, eq=False)
class Difference:
    """One value that is not the same: its place in the case, as it was and as it is.

    ``MISSING`` stands for a value that only the other side has; ``said`` describes what cannot be
    read off the values themselves.
    """

    path: str
    old: Any
    new: Any
    said: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.said or f'{short(self.old)} → {short(self.new)}'}"


def short(value: Any) -> str:
    """A value as a report says it."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}"
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}… ({len(text)} characters)"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Everything that two extractions of a case do not have in common."""
    if _failure(old) or _failure(new):
        if _failure(old) and _failure(new):
            return list(_tree("", dict(old), dict(new)))
        return [Difference("error", _failure(old) or "shown", _failure(new) or "shown")]
    found: list[Difference] = []
    rewritten = old.get("api") != new.get("api")
    old, new = decoded(old), decoded(new)
    for key in sorted((old.keys() | new.keys()) - {"api"}):
        before, after = old.get(key, MISSING), new.get(key, MISSING)
        if key == "catalogue" and after is not MISSING:
            lost = Counter(before) - Counter(after)  # a new text is no difference
            found += [Difference(key, text, MISSING) for text in lost]
        elif before is MISSING or after is MISSING:
            found += _tree(key, before, after)
        elif key in BAGS:
            found += _bag(key, before, after)
        elif key == "table":
            found += (_table_by_content if rewritten else _table)(before, after)
        else:
            found += _tree(key, before, after)
    return found


def decoded(tree: Any) -> Any:
    """A tree with those arrays as arrays that Plotly writes as text."""
    if isinstance(tree, Mapping):
        if tree.keys() >= {"dtype", "bdata"}:
            flat = np.frombuffer(base64.b64decode(tree["bdata"]), tree["dtype"])
            shape = str(tree.get("shape", len(flat)))
            return flat.reshape([int(n) for n in shape.split(",")])
        return {key: decoded(one) for key, one in tree.items()}
    return [decoded(one) for one in tree] if isinstance(tree, list) else tree


def _failure(tree: Mapping[str, Any]) -> Any:
    if "crash" in tree:
        return f"crash: {tree['crash']}"
    return f"{tree['error']['class']}: {tree['error']['sentence']}" if "error" in tree else None


# --- trees --------------------------------------------------------------------------------------


def leaves(path: str, tree: Any) -> Iterator[tuple[str, Any]]:
    """Every value of a tree with its path; a list of numbers is one array."""
    tree = _as_array(tree)
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(f"{path}.{key}" if path else str(key), value)
    elif isinstance(tree, list):
        for n, value in enumerate(tree):
            yield from leaves(f"{path}[{n}]", value)
    else:
        yield path, tree


def _as_array(value: Any) -> Any:
    """A list of two and more numbers, or of such lists of one length, as an array."""
    if isinstance(value, list) and len(value) > 1 and _numbers(value):
        try:
            return np.array(value)
        except ValueError:  # of several lengths
            return value
    return value


def _numbers(value: list[Any]) -> bool:
    return all(
        _numbers(one) and bool(one) if isinstance(one, list) else type(one) in (int, float)
        for one in value
    )


def _tree(path: str, old: Any, new: Any) -> Iterator[Difference]:
    old, new = _as_array(old), _as_array(new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            below = f"{path}.{key}" if path else str(key)
            yield from _tree(below, old.get(key, MISSING), new.get(key, MISSING))
    elif isinstance(old, list) and isinstance(new, list):
        for n in range(max(len(old), len(new))):
            pair = (values[n] if n < len(values) else MISSING for values in (old, new))
            yield from _tree(f"{path}[{n}]", *pair)
    elif isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        yield from _array(path, old, new)
    elif isinstance(old, Mapping | list) or isinstance(new, Mapping | list):
        if old is not MISSING:
            yield from (Difference(at, value, MISSING) for at, value in leaves(path, old))
        if new is not MISSING:
            yield from (Difference(at, MISSING, value) for at, value in leaves(path, new))
    elif not same(old, new):
        yield Difference(path, old, new)


def same(old: Any, new: Any) -> bool:
    """Whether two values that stand by themselves are the same."""
    if isinstance(old, np.ndarray) or isinstance(new, np.ndarray):
        both = isinstance(old, np.ndarray) and isinstance(new, np.ndarray)
        return both and not list(_array("", old, new))
    if type(old) in (int, float) and type(new) in (int, float):
        if type(old) is type(new) is int:
            return bool(old == new)
        return bool(close(np.float64(old), np.float64(new), ALONE))
    return type(old) is type(new) and bool(old == new)


# --- numbers ------------------------------------------------------------------------------------


def close(old: Any, new: Any, noise: Any) -> Any:
    """Which numbers agree; a difference up to ``noise`` is none."""
    with np.errstate(invalid="ignore"):
        near = np.abs(old - new) <= RELATIVE * np.abs(old) + noise
    return np.where(np.isfinite(old) & np.isfinite(new), near,
                    (old == new) | (np.isnan(old) & np.isnan(new)))  # fmt: skip


def largest(values: np.ndarray) -> float:
    """The largest size of the finite numbers of an array."""
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


def _array(path: str, old: np.ndarray, new: np.ndarray) -> Iterator[Difference]:
    if old.shape != new.shape:
        yield Difference(path, old, new)
        return
    if path.startswith("payload.arrays.") and old.dtype != new.dtype:
        yield Difference(path, old, new)
        return
    whole = old.dtype.kind in "biu" and new.dtype.kind in "biu"
    a, b = old.astype(np.float64), new.astype(np.float64)
    if whole:
        picture = old.dtype == np.uint8 and max(largest(a), largest(b)) > 1
        agree = np.abs(a - b) <= (1 if picture else 0)
    else:
        agree = close(a, b, NOISE * largest(a))
    if not agree.all():
        wrong = np.argwhere(~agree)
        at = tuple(int(n) for n in wrong[0])
        said = f"{old[at]} → {new[at]} at {list(at)} ({len(wrong)} of {old.size} numbers differ)"
        yield Difference(path, old, new, said)


def unmatched(old: np.ndarray, new: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Which of the old numbers have no number of their own among the new ones.

    Each old number covers an interval; taken by their right ends, each gets the smallest new
    number in it that is free, which leaves as few as possible without one.
    """
    left = old - RELATIVE * np.abs(old) - noise
    right = old + RELATIVE * np.abs(old) + noise
    points = np.sort(new).tolist()
    following = list(range(len(points) + 1))  # the first free point from here on

    def free(n: int) -> int:
        while following[n] != n:
            following[n] = following[following[n]]
            n = following[n]
        return n

    lost = []
    for n in np.argsort(right, kind="stable").tolist():
        at = free(bisect_left(points, left[n]))
        if at < len(points) and points[at] <= right[n]:
            following[at] = at + 1
        else:
            lost.append(n)
    return np.array(sorted(lost), int)


# --- words and tables ---------------------------------------------------------------------------


def _bag(path: str, old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    before, after = Counter(map(str, old)), Counter(map(str, new))
    for text, n in (before - after).items():
        rest = f", {after[text]} of {before[text]} left" if after[text] else ""
        yield Difference(path, text, MISSING, f"{short(text)} is gone{rest}" if n else "")
    for text in after - before:
        yield Difference(path, MISSING, text, f"{short(text)} is new")


def _scales(table: Mapping[str, Any]) -> np.ndarray:
    """For each number of a table the largest one of its column."""
    column = table["places"][:, 1] if len(table["places"]) else np.zeros(0, int)
    most = np.zeros(int(column.max(initial=-1)) + 1)
    np.maximum.at(most, column, np.abs(table["numbers"]))
    return most[column]


def _table(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _tree("table.columns", old["columns"], new["columns"])
    words = [{f"[{row},{column}]": text for row, column, text in t["words"]} for t in (old, new)]
    yield from _tree("table.words", *words)
    if old["places"].shape != new["places"].shape or (old["places"] != new["places"]).any():
        yield Difference("table.places", old["places"], new["places"])
        return
    agree = close(old["numbers"], new["numbers"], NOISE * _scales(old))
    for n in np.flatnonzero(~agree):
        row, column = old["places"][n].tolist()
        place = f"table.numbers[{row},{column}]"
        yield Difference(place, float(old["numbers"][n]), float(new["numbers"][n]))


def _table_by_content(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    """What the old table says must be in the new one, wherever it stands there."""
    (heads, counted), (new_heads, new_counted) = map(_heads, (old, new))
    there = Counter([*new_heads, *(text for *_at, text in new["words"])])
    for part, words in (("columns", heads), ("words", [text for *_at, text in old["words"]])):
        for text, n in (Counter(words) - there).items():
            kind = "fewer" if there[text] else part
            yield Difference(f"table.{kind}", text, MISSING, f"{short(text)} is gone, {n} times")
        there -= Counter(words)
    numbers = np.concatenate([old["numbers"], counted])
    noise = np.concatenate([NOISE * _scales(old), np.zeros(len(counted))])
    for n in unmatched(numbers, np.concatenate([new["numbers"], new_counted]), noise):
        place = old["places"][n].tolist() if n < len(old["places"]) else ["head"]
        yield Difference(f"table.numbers{place}".replace(" ", ""), float(numbers[n]), MISSING)


def _heads(table: Mapping[str, Any]) -> tuple[list[str], list[float]]:
    """The heads of a table's columns: words, and those that read like a number."""
    numbers = [text for text in table["columns"] if re.fullmatch(NUMBER, text)]
    words = [text for text in table["columns"] if not re.fullmatch(NUMBER, text)]
    return words, [float(text) for text in numbers]


# --- reasons ------------------------------------------------------------------------------------


def reconciled(found: Sequence[Difference], moved: Iterable[int]) -> set[int]:
    """Which of the differences that may be a mere change of place are no more than that.

    Args:
        found: all differences of a case.
        moved: numbers of those whose values may stand in another place now.
    """
    free: dict[Any, list[Any]] = {}
    for one in found:
        if one.new is not MISSING:
            free.setdefault(_kind(one.new), []).append(one.new)
    explained = set()
    for n in moved:
        value = found[n].old
        if value is MISSING or value is None or isinstance(value, bool) or _kind(value) == "":
            explained.add(n)
            continue
        among = free.get(_kind(value), [])
        at = next((i for i, other in enumerate(among) if same(value, other)), None)
        if at is not None:
            among[at] = among[-1]
            among.pop()
            explained.add(n)
    return explained


def _kind(value: Any) -> Any:
    """What two values share that may be the same."""
    return (
        value.shape
        if isinstance(value, np.ndarray)
        else (value if isinstance(value, str | int) else type(value))
    )


def size(tree: Any) -> tuple[int, int]:
    """How many numbers and how many texts a tree holds."""
    numbers = texts = 0
    for _path, value in leaves("", tree):
        if isinstance(value, np.ndarray):
            numbers += value.size
        elif isinstance(value, str):
            texts += 1
        elif value is not None:
            numbers += 1
    return numbers, texts
