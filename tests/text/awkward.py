"""Texts that break tokenizers, for the property tests."""

from __future__ import annotations

from hypothesis import strategies as st

CHARACTERS = [
    *" \t\n\r\x0b\x0c\x00\x07\x1b\x1c\x1f\x7f\x85\u00a0\u2003\u2028\u3000\ufeff",  # blank
    *"aAzZ09'_-.,!?#@~[]<>|\"\\",
    *"éßſıİΣσςﬁΩЖж",  # letters that change when their case does
    *"١٢Ⅷ½²①",  # digits and numbers of other kinds
    *"猫あ한שלעم",
    *"\u0301\u0327\u0316\u200b\u200d\u202e\u2060\u00ad\u0e33\u0bca",  # combining, joining, hidden
    *"😀👩👧🏳🌈🇩\U0001f3fd\ufe0f\U0010ffff\ue000\uffff\ufffd",
]
PIECES = [
    *CHARACTERS, "'s", "'ll", "'S", "  ", "\r\n", "\n\n", " \n", "the", " the", "The", "hello",
    "👩‍👩‍👧‍👦", "🏳️‍🌈", "e\u0301", "<|endoftext|>", "[MASK]", "[CLS]", "##ing", "don't", "123",
]  # fmt: skip

texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.text(st.characters(max_codepoint=127), max_size=60),
)
EXAMPLES = [
    "", " ", "\n", "a", "é", "😀", "\x00", "  a  b  ", "a\r\n\r\n b", "'s 's''ll I'LL we'll",
    "naïve café — “quoted”… 東京 タワー", "القط على الحصير", "हिन्दी ไทย עִבְרִית",
    "🙂👩‍👩‍👧‍👦🏳️‍🌈 é", "a\x00b\x07c\u200bd\u202ee", "<script>alert(1)</script>",
    "x\u00a0\ny", " \u2003 \n z", "١٢٣ ½ Ⅷ", "aaaaaaaaaaaaaaaa", "ababababab", "\U0010ffff\uffff",
]  # fmt: skip
