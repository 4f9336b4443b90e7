"""Tokens as chips, and what is said of a text before it is cut."""

from __future__ import annotations

from core.analysis.words import TextStretch
from core.figures.tokens import NAMED, SHOWN, changes, chip, cut_text, kind_of, labels, prose
from core.units import Token


def test_chips_say_what_kind_of_token_they_are(gpt, bert):
    start, *_words = gpt.tokens("The")
    assert chip(start).kind == "special"
    assert chip(start).label == "⟨start⟩"
    assert "a marker the model puts around every text" in chip(start).title
    (unknown,) = (t for t in bert.tokens("猫") if t.unknown)
    assert chip(unknown).kind == "unknown"
    assert "not in the vocabulary" in chip(unknown).title
    loose = gpt.tokens("😀")[1]
    assert (chip(loose).kind, chip(loose).label) == ("byte", "F0")
    assert chip(loose, born=True).kind == "byte born"
    word = gpt.tokens("a")[1]
    assert (kind_of(word), chip(word, group=3).group) == ("word", 3)
    assert chip(word).title == f"id {word.id} · bytes 61"
    assert labels(gpt.tokens("a")) == ["⟨start⟩", "a"]


def test_what_was_cut_is_shortened_for_the_strip():
    assert cut_text("abc") == "abc"
    assert cut_text("a" * 500) == "a" * 160 + "…"


def test_changes_are_said_kind_by_kind_and_cut_when_there_are_many():
    same = TextStretch("a b", "a b", "same")
    assert changes([]) is None
    assert changes([same]) is None
    capitals = [TextStretch(char, char.lower(), "lowered") for char in "ABCDEFGHIJKLMNOP"]
    lost = TextStretch("\u200b\x00\u0301\x00", "", "dropped")
    unknown = [TextStretch("x" * 500, "[UNK]", "unknown"), TextStretch("🙂", "[UNK]", "unknown")]
    assert str(changes([*capitals, same, *capitals, lost, *unknown])) == (
        "Changed to lower case: A → a, B → b, C → c, D → d, E → e, F → f, G → g, H → h, I → i, "
        f"J → j, K → k, L → l and {len(capitals) - NAMED} more. "
        "Left out: ‹U+200B›, ‹U+0000›, ◌\u0301. "
        f"Not in the vocabulary, so read as [UNK]: {'x' * SHOWN}…, 🙂."
    )


def test_the_text_of_tokens_is_read_as_one():
    whole = "A café\n·\u202e!"
    parts = [whole.encode()[at : at + 4] for at in range(0, len(whole.encode()), 4)]
    tokens = [Token(0, "<s>", b"<s>", 0, 0, special=True)]
    tokens += [Token(1, "", part, 0, 0) for part in parts]
    pieces = prose(tokens)
    assert len(pieces) == len(tokens)
    assert pieces[0] == ""
    # A character that two tokens share comes with the second; what cannot be seen is spelt out.
    assert "".join(pieces) == "A café\n·‹U+202E›!"
