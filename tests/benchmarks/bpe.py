"""Our byte-pair trainer, in Python and with its full record, against the one in Rust."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from core.text.bpe import train_bpe
from tests.benchmarks.race import Result, race
from tests.text.test_bpe import by_library, merges_of

ENTRIES = 8192
MEGABYTES = 5


def results() -> Iterator[Result]:
    """Both trainers on one string."""
    text = prose(MEGABYTES * 1_000_000)
    ours = [(m.left, m.right, m.new) for m in train_bpe(text, ENTRIES).merges]
    if ours != merges_of(by_library(text, ENTRIES)):
        raise AssertionError("the two trainers learn different merges")
    yield race(
        f"BPE training / tokenizers (Rust): {ENTRIES} entries, {MEGABYTES} MB of text, one string",
        lambda: train_bpe(text, ENTRIES),
        lambda: by_library(text, ENTRIES),
        limit=1.0,
        rounds=3,
        warm_up=0,
    )


def prose(n_bytes: int, *, n_words: int = 100_000, seed: int = 0) -> str:
    """Pseudo-English with the statistics that a trainer feels, the same for the same seed.

    Words are made of one to five syllables and are the shorter the more frequent
    they are; frequencies follow Zipf and Mandelbrot, p ~ 1 / (rank + 2.7). Five
    megabytes hold some 60,000 distinct words, as an encyclopaedia does.
    """
    random = np.random.default_rng(seed)
    onsets = "t,s,th,w,h,b,m,f,c,l,d,p,n,r,g,st,y,ch,tr,sh,br,pr,gr,k,v"
    vowels = "e,a,o,i,u,ea,ou,y,ai,ee"
    codas = ",n,r,s,t,d,l,nd,ng,st,ck,m"

    def parts(of: str, n: int) -> list[str]:
        """The earlier in the list the more frequent."""
        listed = of.split(",")
        drawn = np.minimum(random.geometric(0.15, n), len(listed)) - 1
        return [listed[i] for i in drawn]

    lengths = 1 + random.binomial(4, np.linspace(0.05, 0.6, n_words))
    n = int(lengths.sum())
    syllables = map("".join, zip(*(parts(of, n) for of in (onsets, vowels, codas)), strict=True))
    words = np.array(["".join(islice(syllables, n)) for n in lengths])
    frequency = 1 / (np.arange(n_words) + 2.7)
    drawn = words[random.choice(n_words, n_bytes // 4, p=frequency / frequency.sum())]
    ends = random.choice(np.array([" ", ", ", ". ", ".\n"]), len(drawn), p=[0.86, 0.07, 0.05, 0.02])
    return "".join(word + end for word, end in zip(drawn, ends, strict=True))[:n_bytes]
