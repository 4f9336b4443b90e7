"""What a learner would type, and the place that must be among the first three that are offered."""

from __future__ import annotations

import json

import pytest

from core.language import use_language
from pages.parts.finding import index
from tests.javascript.conftest import HERE, run

TYPED = {
    "en": {
        "why divide by sqrt": "Why divide by √d_head?",
        "why divide by √d_k": "Why divide by √d_head?",
        "what is the start token": "⟨start⟩",
        "temperature": "temperature",
        "turn up the temperature": "Turn the temperature",
        "how does attention work": "Attention, step by step",
        "query key value": "Attention, step by step",
        "why a mask": "Masks",
        "what about padding": "What about padding?",
        "bpe": "byte-pair encoding",
        "how are words split into tokens": "Tokenization",
        "bert": "Masked word (BERT)",
        "positional encodings": "position encoding",
        "word vectors": "Embeddings and position",
        "sine and cosine": "sinusoidal encoding",
        "layer normalization": "LayerNorm",
        "skip connection": "residual connection",
        "mlp": "Feed-forward",
        "beam search": "beam search",
        "translation": "Translate",
        "perplexity": "perplexity",
        "cross entropy loss": "cross-entropy",
        "warmup": "Why a warm-up?",
        "label smoothing": "The target: label smoothing",
        "vanishing gradients": "vanishing gradient",
        "rnn vs transformer": "From RNN to Transformer",
        "why several heads": "Attention, all heads",
        "multihead": "multi-head attention",
        "kv cache": "The key-value cache: why a new token is cheap",
        "number of parameters": "Cost",
        "vision transformer": "Vision",
        "chatgpt": "How it learns, and what ChatGPT does differently",
        "rlhf": "RLHF",
        "finetuning": "Fine-tune",
        "epsilon": "ε",
        "d_model": "d_model",
        "W_O": "W_O",
        "√": "Why divide by √d_head?",
        "[CLS]": "[CLS]",
        "softmx": "softmax",
    },
    "fr": {
        "pourquoi diviser par sqrt": "Pourquoi diviser par √d_head ?",
        "pourquoi diviser par la racine de d_k": "Pourquoi diviser par √d_head ?",
        "qu'est-ce que le jeton de début": "⟨start⟩",
        "start token": "⟨start⟩",
        "temperature": "température",
        "régler la température": "Réglez la température",
        "qu'est-ce que l'attention": "attention",
        "comment fonctionne l'attention": "Attention, pas à pas",
        "requêtes, clés et valeurs": "Attention, pas à pas",
        "masque causal": "Masques",
        "remplissage": "remplissage",
        "jetons": "jeton",
        "tokenisation": "Segmentation en jetons",
        "découper un texte en jetons": "Segmentation en jetons",
        "BERT": "Mot masqué (BERT)",
        "le mot caché": "BERT : le mot caché",
        "plongements": "plongement",
        "encodage positionnel": "encodage de position",
        "normalisation": "LayerNorm et résidu",
        "connexion résiduelle": "connexion résiduelle",
        "feed forward": "Propagation avant",
        "recherche en faisceau": "recherche en faisceau",
        "beam search": "recherche en faisceau",
        "traduire": "Traduction",
        "perplexité": "perplexité",
        "entropie croisée": "entropie croisée",
        "taux d'apprentissage": "taux d’apprentissage",
        "échauffement": "Pourquoi un échauffement ?",
        "lissage des étiquettes": "La cible : le lissage des étiquettes",
        "surapprentissage": "surapprentissage",
        "le gradient qui disparaît": "gradient évanescent",
        "réseaux récurrents": "Du RNN au Transformer",
        "pourquoi plusieurs têtes": "Attention, toutes les têtes",
        "nombre de paramètres": "Coût",
        "images": "Vision",
        "affiner un modèle": "Affiner",
        "logits": "logit",
        "hidden state": "état caché",
        "produit scalaire": "produit scalaire",
        "matrice": "Que fait une matrice à un vecteur ?",
    },
}

# What must lead there at once.
FIRST = {
    "en": {
        "ChatGPT": "It continues, it does not answer",
        "chatgpt?": "It continues, it does not answer",
        "hallucination": "It continues, it does not answer",
        "why does it make things up": "It continues, it does not answer",
        "does it understand": "It continues, it does not answer",
        "positional encoding": "Embeddings and position",
        "padding mask": "Masks",
        "quiz": "All lessons",
        "test": "All lessons",
        "why is the score divided by root d": "Why divide by √d_head?",
        "why divide by sqrt": "Why divide by √d_head?",
        "neuron": "Feed-forward",
        "pronoun": "Where does “his” look?",
        "does it know grammar": "Which head keeps the tense?",
    },
    "fr": {
        "ChatGPT": "Il continue, il ne répond pas",
        "hallucination": "Il continue, il ne répond pas",
        "pourquoi il invente": "Il continue, il ne répond pas",
        "est-ce qu'il comprend": "Il continue, il ne répond pas",
        "encodage positionnel": "Plongements et positions",
        "masque de remplissage": "Masques",
        "quiz": "Toutes les leçons",
        "test": "Toutes les leçons",
        "pourquoi le score est-il divisé par racine de d": "Pourquoi diviser par √d_head ?",
        "neurone": "Propagation avant",
        "pronom": "Où regarde « his » ?",
        "grammaire": "Quelle tête garde le temps du verbe ?",
    },
}
# Words that say nothing neither match nor count.
IDLE = {"en": ("temperature", "why is it the temperature by a"),
        "fr": ("température", "pourquoi est-ce que la température")}  # fmt: skip


def firsts(language: str, queries: list[str]) -> dict[str, list[str]]:
    """By query, the first three places that are offered."""
    use_language(language)
    try:
        asked = {"index": index(), "queries": queries}
    finally:
        use_language("en")
    done = run(str(HERE / "searched.js"), input=json.dumps(asked))
    assert done.returncode == 0, done.stderr
    found = [[" ".join(title.split()) for title in three] for three in json.loads(done.stdout)]
    return dict(zip(queries, found, strict=True))


@pytest.mark.parametrize("language", FIRST)
def test_what_is_asked_for_by_another_name_comes_first(language):
    found = firsts(language, list(FIRST[language]))
    assert {query: three[0] for query, three in found.items()} == FIRST[language]


@pytest.mark.parametrize("language", IDLE)
def test_words_that_say_nothing_do_not_count(language):
    alone, among = IDLE[language]
    found = firsts(language, [alone, among])
    assert found[alone] == found[among]


@pytest.mark.parametrize("language", TYPED)
def test_what_a_learner_types_is_among_the_first_three(language):
    found = firsts(language, list(TYPED[language]))
    assert len(found) == 40
    missed = {query: three for query, three in found.items() if TYPED[language][query] not in three}
    assert missed == {}
