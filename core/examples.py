"""What is shown before anything has been chosen: which models of the shelf.

A page that needs what its example cannot do takes another model that can; so these are names of
examples, and no machine is asked for by its name.
"""

WRITER = "gpt"  # continues a text: what most views open on
GUESSER = "bert"  # fills in hidden words
LOOKER = "vit"  # says what a picture shows
