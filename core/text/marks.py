"""The marks that tokenizers know: special tokens, each by what it is spelt."""

import re

END_OF_TEXT = "<|endoftext|>"
MASK, CLS, SEP, PAD, UNK = "[MASK]", "[CLS]", "[SEP]", "[PAD]", "[UNK]"
CONTINUES = "##"  # before a piece that does not begin its word, as WordPiece writes it
# Padding; the marks before and after a target, or a row of whole words.
FILL, START, END = "<pad>", "<s>", "</s>"
HOLE, UNREAD = "<mask>", "<unk>"  # as BART hides; what T5 cannot read
N_SENTINELS, SENTINEL = 100, "<extra_id_{n}>"  # of T5: each stands for one hidden span
SPACE = "\N{LOWER ONE EIGHTH BLOCK}"  # before a word, as SentencePiece writes it

# What is typed to hide a word, besides [MASK]: the marks of other machines, a gap on paper, or the
# mark's bare name.
HIDES = re.compile(
    r"[\[<{] ?(?:mask|blank|gap) ?[\]>}]|<extra_id_[0-9]{1,2}>|_{2,}"
    r"|(?-i:\bMASK\b)",
    re.IGNORECASE,
)
# What is the name of a mark, whichever machine has it; in a text it is text.
NAMED = re.compile(
    r"\[(?:mask|cls|sep|pad|unk|bos|eos)\]|<(?:mask|pad|unk|bos|eos|start|end|/?s)>"
    r"|<extra_id_[0-9]{1,2}>|<\|endoftext\|>",
    re.IGNORECASE,
)
