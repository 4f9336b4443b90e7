"""What a typed number may say, and how near it has to come to another."""

from __future__ import annotations

from core.lessons.schema import Question

EXACT = 1e-9  # of a whole number, for what floats leave
EDGE = 1e-6  # of a tolerance, about its end
ROUGH = 0.02  # of another number that stands for an idea beside a whole answer


def tolerance_of(question: Question, number: float) -> float:
    """How far an answer may be from a number: of 0 as far as of 1; of a whole one not at all."""
    exact = EXACT if is_whole(number) else ROUGH
    return (question.tolerance or exact) * (abs(number) or 1.0)


def is_whole(number: float) -> bool:
    """Whether it is a whole number, but for what floats leave."""
    return abs(number - round(number)) <= EXACT * max(1.0, abs(number))


def is_on_the_edge(question: Question, number: float) -> bool:
    """Whether a number with two decimals is right or not by what floats leave."""
    off = abs(round(number, 2) - number)
    return off > EXACT and abs(off / tolerance_of(question, number) - 1) < EDGE


def read_as(question: Question, number: float) -> set[float]:
    """What a number that was typed may say: of a share, above one whole, per cent too."""
    in_percent = question.number == "share" and abs(number) > 1
    return {number, number / 100} if in_percent else {number}
