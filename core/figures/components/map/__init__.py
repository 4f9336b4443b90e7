"""The run as a picture: a tower for each stream, each part drawn in its own numbers."""

from core.figures.components.map.blocks import Blocks, VectorLook
from core.figures.components.map.flow import CutPicture, Flow, OpenedPlace, Pass
from core.figures.components.map.heads import Heads
from core.figures.components.map.looking import LookedAttention
from core.figures.components.map.part import TowerPart
from core.figures.components.map.recurrent import Cell, ReadingDirection, Recurrent
from core.figures.components.map.told import StoryPart
from core.figures.components.map.towers import Tower, TowerAnswer
from core.figures.components.map.vectors import Vectors

__all__ = [
    "TowerAnswer",
    "Blocks",
    "Cell",
    "CutPicture",
    "Flow",
    "Heads",
    "VectorLook",
    "LookedAttention",
    "OpenedPlace",
    "StoryPart",
    "Pass",
    "ReadingDirection",
    "Recurrent",
    "Tower",
    "TowerPart",
    "Vectors",
]
