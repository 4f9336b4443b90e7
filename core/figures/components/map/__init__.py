"""The run as a picture: a tower for each stream, each part drawn in its own numbers."""

from core.figures.components.map.blocks import Blocks, Look
from core.figures.components.map.flow import Cut, Flow, Opened, Pass
from core.figures.components.map.heads import Heads
from core.figures.components.map.looking import Looking
from core.figures.components.map.part import TowerPart
from core.figures.components.map.recurrent import Cell, Reading, Recurrent
from core.figures.components.map.told import Part
from core.figures.components.map.towers import Answer, Tower
from core.figures.components.map.vectors import Vectors

__all__ = [
    "Answer",
    "Blocks",
    "Cell",
    "Cut",
    "Flow",
    "Heads",
    "Look",
    "Looking",
    "Opened",
    "Part",
    "Pass",
    "Reading",
    "Recurrent",
    "Tower",
    "TowerPart",
    "Vectors",
]
