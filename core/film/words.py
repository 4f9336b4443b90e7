"""Common words of what the film's model reads, in groups: do words of a group come to be alike?"""

from __future__ import annotations

from collections.abc import Mapping

from core.language import N_

# Each is one token of the film's tokenizer, with the space before it; the others are left out.
GROUPS: Mapping[str, tuple[str, ...]] = {
    N_("people"): ("mother", "father", "boy", "girl", "man", "woman", "king", "brother", "mom",
                   "dad"),
    N_("animals"): ("dog", "cat", "bird", "fish", "horse", "bear"),
    N_("past tense"): ("said", "went", "saw", "came", "ran", "took", "looked", "asked", "put",
                       "got", "made", "found"),
    N_("colours"): ("red", "blue", "green", "black", "white"),
    N_("numbers"): ("one", "two", "three", "four", "five", "six"),
    N_("prepositions"): ("in", "on", "at", "under", "into", "from", "over", "with", "by"),
    N_("pronouns"): ("he", "she", "they", "it", "we", "you", "him", "her", "them"),
}  # fmt: skip
