"""Hidden words: a gap from both sides and from the left, pairs of sentences, training examples."""
