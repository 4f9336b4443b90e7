"""What the lesson player shows: a screen, made anew for each question that a browser asks.

Nothing of a learner is kept here. Her browser says what she has chosen and what she has answered;
the screen that comes back holds no answer that she has not given.
"""
