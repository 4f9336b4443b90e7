"""Which language a short text is likely written in, by words that hardly any text is without."""

from __future__ import annotations

import re


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


# The most frequent words of each; what is a word of both is in neither.
FREQUENT = {
    "en": _words(
        "the and of to in is was he she it they his her him my your our we you this that with for "
        "at not are were have has had be been will would can from by up out when there so all one "
        "little who what which"
    ),
    "fr": _words(
        "le la les un une des du de et est elle dans sur que qui pour pas ce cette ces sa ses leur "
        "au aux je tu il nous vous ils elles avec dit se ne plus mais ou où était sont avait bien "
        "petit comme mon ma mes ton ta tes notre votre très c j l n qu"
    ),
}
NAMES = {"English": "en", "French": "fr"}  # as the cards of our models write them
BOTH = frozenset(["plus", "pour", "c", "j", "l", "n"])  # English words, or letters, as well
# Which no model of ours reads. No English words ("die", "war", "come"), no parts of English names.
FOREIGN = {
    "fr": FREQUENT["fr"] - BOTH,
    "de": _words(
        "der das und ist sehr nicht ein eine einen einem ich du er sie wir ihr mit auf für sein "
        "seine hatte sind auch aber dem den von zu wie im noch nach bei es mir dir mich dich geht "
        "guten hallo danke bitte heute"
    ),
    "es": _words("el una es y que con por muy está pero su sus para del al lo se como más ha"),
    "it": _words("il gli una è che con per molto ma non sono di della del nel si suo sua ha"),
}
WORD = re.compile(r"[^\W\d_]+")


def tongue(text: str) -> str:
    """The code of the language that most frequent words of a text are of; empty for a tie.

    No more than a guess: a name or a single word says nothing.
    """
    words = WORD.findall(text.lower())
    counts = {code: sum(word in frequent for word in words) for code, frequent in FREQUENT.items()}
    best = max(counts, key=counts.__getitem__)
    return best if list(counts.values()).count(counts[best]) == 1 else ""


def not_english(text: str) -> bool:
    """Whether a text is clearly in another language than English; a guess that would rather miss.

    It is, if half of its letters are of another script; if more of its words are frequent ones of
    another language than frequent English ones, and these are a third of all or two different
    ones; or if none is a frequent English one and a word in four has a letter beyond a to z.
    """
    words = WORD.findall(text.lower())
    letters = "".join(words)
    latin = sum(letter < "\u0250" for letter in letters)
    if len(letters) < (3 if latin else 2):
        return False
    english = sum(word in FREQUENT["en"] for word in words)
    foreign = max(
        ([word for word in words if word in frequent] for frequent in FOREIGN.values()), key=len
    )
    if 2 * latin < len(letters) or (
        len(foreign) > english and (len(set(foreign)) > 1 or 3 * len(foreign) >= len(words))
    ):
        return True
    accents = sum(not word.isascii() for word in words)
    return not english and len(words) > 1 and 4 * accents >= len(words)


def read_by(card: str) -> tuple[str, ...]:
    """The codes of the languages that a model has learned to read, the first one most.

    Args:
        card: of the model; its line of sizes says what it knows, "French to English" of one that
            reads the first alone.

    Returns:
        none for a card that names no language.
    """
    line = next((line for line in card.split("\n")[1:] if line.strip()), "")
    read, _to, _written = line.partition(" to English")
    return tuple(NAMES[name] for name in re.findall("|".join(NAMES), read))
