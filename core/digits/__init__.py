"""From a text to a picture: a small generator of digits, and the frozen encoder that it reads."""
