"""The lessons: the list of all, and the one that is open, a screen at a time."""

from pages.shell.player import player

player()
