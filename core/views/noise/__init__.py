"""A text that is damaged as in the training of T5 and BART, and how a model mends it."""
