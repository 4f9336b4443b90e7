"""What is shown before anything has been chosen: which models of the shelf, and which texts.

A page that needs what its example cannot do takes another model that can; so these are names of
examples, and no machine is asked for by its name.
"""

WRITER = "gpt"  # continues a text: what most views open on
GUESSER = "bert"  # fills in hidden words
READER = "elmo"  # gives each word a vector in its context
SORTER = "bert_sentiment"  # says what kind of text it reads
LOOKER = "vit"  # says what a picture shows
TRANSLATOR = "transformer"
FIRST = (WRITER, GUESSER, TRANSLATOR, SORTER, LOOKER, READER)  # what pages open on, where they can

# From a fixed state to the Transformer, a step at a time.
STOPS = ("rnn", "rnn_attention", "rnn_self", "encoder_causal", TRANSLATOR)

FRENCH = "Le chat noir dort sur la table."  # what a model that translates can read
FRENCH_IN_ENGLISH = "The black cat is sleeping on the table."  # as a teacher may translate it
# Long enough that a summary of it has to leave something out.
WALK = (
    "Quand le vieil homme est rentré chez lui hier soir, son petit chat noir dormait sur la table "
    "de la cuisine."
)
WALK_IN_ENGLISH = (
    "When the old man came home last night, his little black cat was sleeping on the kitchen table."
)
TRANSLATED = {FRENCH: FRENCH_IN_ENGLISH, WALK: WALK_IN_ENGLISH}
GAP = "The dog was hungry, so he ate all of his [MASK]."
RED = "The cat saw a red ball. The dog saw a red"  # what followed "red" before may follow it again
FELT = "The children found their lost dog and laughed."
SPANS = "The [MASK] was hungry, so he ate all of [MASK]."
# Jane Taylor, "The Star", 1806: long enough to be learned from.
STAR = (
    "Twinkle, twinkle, little star, how I wonder what you are! Up above the world so high, like a "
    "diamond in the sky. When the blazing sun is gone, when he nothing shines upon, then you show "
    "your little light, twinkle, twinkle, all the night. Then the traveller in the dark thanks you "
    "for your tiny spark; he could not see which way to go, if you did not twinkle so. In the dark "
    "blue sky you keep, and often through my curtains peep, for you never shut your eye till the "
    "sun is in the sky. As your bright and tiny spark lights the traveller in the dark, though I "
    "know not what you are, twinkle, twinkle, little star."
)
