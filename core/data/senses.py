"""Words with two senses, in sentences of our own: what contextual vectors should tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Our own sentences, in words that children's books and an encyclopaedia have.
SENSES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "bank": {
        "of a river": (
            "They sat on the bank of the river and fished.",
            "The boat came slowly to the other bank.",
            "Wild flowers grew along the bank of the stream.",
            "He swam across and climbed up the bank.",
            "The horse drank water from the grassy bank.",
            "Trees stood on each bank of the river.",
            "She walked along the muddy bank in the rain.",
            "A frog jumped from the bank into the pond.",
        ),
        "for money": (
            "He put all his money in the bank.",
            "The bank opened at nine in the morning.",
            "She works for a large bank in the city.",
            "The bank gave the company a loan.",
            "A man robbed the bank and took the gold.",
            "The government owns the national bank.",
            "He paid the money back to the bank.",
            "The bank closed because it had no money left.",
        ),
    },
    "light": {
        "to see by": (
            "The light of the moon fell on the floor.",
            "She saw a light in the window.",
            "The light was so bright that he closed his eyes.",
            "There was no light in the dark room.",
            "He turned on the light and looked around.",
            "The first light of the morning came over the hills.",
            "A candle gave a little light.",
            "The light went out and it was dark.",
        ),
        "not heavy": (
            "The box was light and easy to carry.",
            "Her basket was so light that she could run with it.",
            "He was as light as a feather.",
            "The boat is very light and can be carried by one man.",
            "The bag felt light because it was empty.",
            "It is a light metal and also a strong one.",
            "She was light enough to be lifted with one hand.",
            "A light load is better than a heavy one.",
        ),
    },
    "left": {
        "not right": (
            "He held the sword in his left hand.",
            "She lost her left shoe.",
            "Turn to the left at the end of the road.",
            "There is a door on the left side of the house.",
            "He looked to the left and then to the right.",
            "The left arm of the statue is broken.",
            "His left eye was blue and his right eye was brown.",
            "The dog hurt its left leg.",
        ),
        "went away": (
            "He left the house early in the morning.",
            "She left her home and went to the city.",
            "They left without saying a word.",
            "The train left at ten o'clock.",
            "When he left the room everybody laughed.",
            "His father left the country after the war.",
            "We left the village and walked into the forest.",
            "After that she left the school and became a teacher.",
        ),
    },
}


def in_groups(word: str, n: int) -> str:
    """The first sentences of each sense, one a line, an empty line between the senses."""
    return "\n\n".join("\n".join(of[:n]) for of in SENSES[word].values())
