"""What lessons once said and is not so: it fails on the shipped weights, and is said no more."""

from __future__ import annotations

import re

import pytest

from core.data import glossary
from core.language import LOCALE
from core.lessons import FILES, Lesson, lesson
from core.lessons.expressions import evaluate
from core.lessons.filling import checks
from core.lessons.world import world_of

V, Z = "trace['blocks.5.attn.v'][3]", "trace['blocks.5.attn.z'][3, T-1]"
FOOD = "softmax(silenced[{head}][T-1])[argmax(trace['logits'][T-1])]"
QUERY = (
    "abs(dot(trace['blocks.5.{given}'][T-1], weight['blocks.5.attn.w_q.weight'][3 * d_head])"
    " - q[T-1, 0]) < 0.001"
)
# Where it was said, and what would have to hold.
CLAIMS = [
    ("attention", "where", "weights[T-1, 2] * dot(v[2], z[T-1]) / dot(z[T-1], z[T-1]) < 0.8"),
    ("attention", "where", "weights[T-1, 0] * dot(v[0], z[T-1]) / dot(z[T-1], z[T-1]) > 0.1"),
    ("attention", "query-key", QUERY.format(given="resid_pre")),
    ("attention", "query-key", QUERY.format(given="ln_1.out")),
    ("first", "looks", f"trace['blocks.5.attn.weights'][3, T-1, 2] * dot({V}[2], {Z})"
     f" / dot({Z}, {Z}) < 0.8"),
    ("first", "off", f"{FOOD.format(head=3)} < {FOOD.format(head=0)}"),
    ("masks", "grow", "exp(0 - 1000000000) > 0"),
    ("bert", "frame", "sum(token == '[SEP]') == sum(token == '.')"),
    ("translation", "greedy", "ends[T-1] > 0.99"),
    ("translation", "product", "ends[T-1] > 0.99"),
    # That the width is the smaller one, so that attention costs the most.
    ("translation", "encoder-alone", "d_model < T"),
    # That the bound is what keeps the additive score small.
    ("from-rnn", "additive", "sum(abs(weight['decoder.attn.w_s.weight'])) < 10"),
]  # fmt: skip
SAID = [
    r"how much of the output of “his” comes", r"of what “his” takes along", r"whose food it is",
    r"keeps no plan", r"at the end of each sentence", r"only\s+take away the right side",
    r"learns only where a word is hidden", r"No ordinary number hides", r"reshapes N × D to H × N",
    r"bites dog” have the same tokens", r"by the mean of their vectors",
    r"Twice as long a text costs four times", r"la part de la sortie\s+de « his »",
    r"ne garde aucun plan", r"à la fin de chaque phrase", r"ne ferait qu’enlever le côté droit",
    r"n’apprend que là où un mot est caché", r"^Aucun nombre ordinaire",
    r"réarrange N × D nombres en H × N", r"call it \[BEGIN\] or \[CLS\]",
    r"l’appellent \[BEGIN\] ou \[CLS\]", r"needs no divisor", r"pas besoin de diviseur",
    r"none of the encoder's tokens is masked", r"nothing has to be masked",
    r"aucun jeton de l’encodeur n’est masqué", r"mean is often small",
    r"moyenne est souvent petite", r"costs \$O\(MNk \+ N\^2k\)\$\.",
    r"coûte \$O\(MNk \+ N\^2k\)\$\.", r"and other programs disturb it",
    r"tout cela coûte quatre fois plus", r"produit scalaire réduit", r"au bout du texte",
    r"test sets that no machine has read", r"qu’aucune machine n’a lus",
    r"question is often followed by another", r"une question est souvent suivie",
    r"gradients are noise:", r"gradients sont du bruit", r"it never comes back",
    r"il ne revient jamais", r"couches s’attendent à l’entraînement",
    r"word of a letter that does not fit", r"mot d’une lettre qui ne va pas",
    r"about the meaning of sentences", r"sur le sens des phrases",
]  # fmt: skip


@pytest.mark.parametrize(("ident", "at", "claim"), CLAIMS)
def test_what_was_said_is_not_so_and_what_is_said_is_checked(runs, ident, at, claim):
    found = lesson(ident)
    assert isinstance(found, Lesson)
    step = next(one for one in found.steps if one.id == at)
    names = world_of(step, runs.get).names
    assert not evaluate(claim, names)
    said = [one for text in (step.before, step.after) for one in checks(text, names)]
    assert said
    assert all(one.holds for one in said)


# The same of the texts of the pages and of the glossary.
ELSEWHERE = [
    r"every weight moves by about", r"chaque poids bouge d’environ", r"O\(MN \+ N²\)",
    r"that nobody had to label", r"que personne n’a eu à étiqueter",
    r"With attention it is everything", r"Avec l’attention, c’est toute",
    r"^  text: Perplexity|Perplexity becomes worse", r"La perplexité devient moins bonne",
    r"text: The dot product of a query and a key, divided",
    r"text: Le produit scalaire d’une requête et d’une clé, divisé",
    r"may attend to all of the source\.", r"peut prêter attention à toute la source\.",
    r"and attends to the encoder's output", r"et prête attention à la sortie de l’encodeur",
]  # fmt: skip


@pytest.mark.parametrize("pattern", ELSEWHERE)
def test_no_page_and_no_term_says_it(pattern):
    found = [*LOCALE.glob("*.pot"), *LOCALE.glob("*/*/*.po"), *glossary.FILES.glob("*.yaml")]
    texts = {path.name: joined(path.read_text(encoding="utf-8")) for path in found}
    assert len(texts) > 3
    assert [name for name, text in texts.items() if re.search(pattern, text, re.M)] == []


def joined(text: str) -> str:
    """With the parts of a message in one line, and the blanks of French as others."""
    return text.replace('"\n"', "").replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("pattern", SAID)
def test_no_lesson_says_it_again(pattern):
    plain = {path: path.read_text(encoding="utf-8") for path in FILES.glob("*/*.md")}
    blanks = {
        path: text.replace("\u00a0", " ").replace("\u202f", " ") for path, text in plain.items()
    }
    assert [path.name for path, text in blanks.items() if re.search(pattern, text, re.M)] == []
