"""The methods that cut words into pieces, and what the page on tokenization says of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.language import N_


@dataclass(frozen=True, slots=True)
class Method:
    """A method that cuts words into pieces, and what the page says of it.

    Attributes:
        view: that cuts a word step by step.
        values: of the parameter that stand for it.
        cuts: how it cuts a word (translate with ``_``, as the next two).
        learns: how it learns its entries.
        codes: how short a code it gives, beside Huffman's.
        cut_by: the line of a file that decides how a word is cut, after the file's name.
        learned_by: the same of how entries are learned.
    """

    view: str
    values: tuple[str, ...]
    cuts: str
    learns: str
    codes: str
    cut_by: tuple[str, str]
    learned_by: tuple[str, str]


BY: Mapping[str, Method] = {
    "bpe": Method(
        "text.encode", ("", "bpe"),
        N_("**Byte-pair encoding** starts from the bytes of the word. It joins the pair that was "
           "learned earliest, again and again, until no pair of neighbours is in its list."),
        N_("**Byte-pair encoding** starts from single bytes. It counts which two symbols "
           "are neighbours most often in a training text and merges that pair into one new "
           "symbol. Then it counts again. A space belongs to the word after it, and no "
           "pair crosses from one word into the next. Frequent words end as one token, "
           "rare words stay in several."),
        N_("Byte-pair encoding does it the other way round: every entry is a number of the same "
           "length, but a frequent string becomes one entry, however many characters it has. Both "
           "spend little on what is frequent. With enough merges byte-pair encoding saves more, "
           "because it uses which characters follow each other."),
        ("core/text/bpe.py", "rank, at = min("),
        ("core/text/bpe.py", "self.heap = [(-count, pair)"),
    ),
    "wordpiece": Method(
        "text.tries", ("wordpiece",),
        N_("**WordPiece** keeps no list of merges, only a vocabulary. It looks up the whole word, "
           "then the word without its last letter, and so on, until it finds an entry. The rest "
           "is looked up in the same way, with ## in front. If no entry fits the rest, the whole "
           "word becomes [UNK]."),
        N_("**WordPiece** starts from single letters; ## marks a letter that does not begin its "
           "word. It merges the pair with the highest score: the count of the pair, divided by the "
           "counts of both parts. So letters that are seldom apart come first, and frequent "
           "letters that only happen to meet come late. The library that made the vocabulary of "
           "our BERT leaves out the division and counts pairs as byte-pair encoding does; "
           "Google's own program was never published."),
        N_("WordPiece does it the other way round: every entry is a number of the same length, but "
           "letters that seldom stand apart become one entry. It makes all letters small and "
           "writes no spaces, so a part of what it saves is left out of the text."),
        ("core/text/wordpiece.py", "found = self.ids.get(piece)"),
        ("core/text/learning.py", "return self.count / (self.alone"),
    ),
    "unigram": Method(
        "text.lattice", ("unigram",),
        N_("**Unigram** gives every entry a probability. A segmentation of the word has the "
           "product of the probabilities of its pieces, and the most probable one is taken. There "
           "are many segmentations, so **Viterbi's algorithm** goes from place to place and keeps "
           "only the best way to each. Logarithms turn the product into a sum."),
        N_("**Unigram** starts with too many entries: all letters, and every part of a word that "
           "occurs twice. **Expectation maximisation** finds probabilities that make the text "
           "likely: it counts each entry in all segmentations, weighted by their probability, and "
           "turns the counts into new probabilities. Then the entries are removed that the text "
           "needs least. This is repeated until few enough are left. Letters always stay."),
        N_("Unigram does both: an entry may have many characters, and its probability p says how "
           "many bits it would cost in an ideal code, −log₂ p. The most probable segmentation of "
           "a word is the one that costs the fewest bits. Each round leaves fewer entries: a "
           "number of fixed length gets shorter, but the text may need more of them."),
        ("core/text/lattice.py", "if best[edge.start] + edge.score > best[place]:"),
        ("core/text/unigram_learning.py", "found[edge.piece] += count * share"),
    ),
}  # fmt: skip
