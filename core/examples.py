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

FRENCH = "Le chat noir dort sur la table."  # what a model that translates can read
FRENCH_IN_ENGLISH = "The black cat is sleeping on the table."  # as a teacher may translate it
GAP = "The dog was hungry, so he ate all of his [MASK]."
FELT = "The children found their lost dog and laughed."
SPANS = "The [MASK] was hungry, so he ate all of [MASK]."
