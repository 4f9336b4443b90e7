"""The marks that tokenizers know: special tokens, each by what it is spelt."""

END_OF_TEXT = "<|endoftext|>"
MASK, CLS, SEP, PAD, UNK = "[MASK]", "[CLS]", "[SEP]", "[PAD]", "[UNK]"
CONTINUES = "##"  # before a piece that does not begin its word, as WordPiece writes it
# Padding; the marks before and after a target, or a row of whole words.
FILL, START, END = "<pad>", "<s>", "</s>"
HOLE, UNREAD = "<mask>", "<unk>"  # as BART hides; what T5 cannot read
N_SENTINELS, SENTINEL = 100, "<extra_id_{n}>"  # of T5: each stands for one hidden span
SPACE = "\N{LOWER ONE EIGHTH BLOCK}"  # before a word, as SentencePiece writes it
