"""How things are shown: the typed twin of each folder in ``assets/components``.

A component is data. What the browser is given (``payload``) and the drawing for
a file (``drawing``) are made from the same object, so the two cannot differ.
"""

from core.figures.components.arcs import Arcs
from core.figures.components.bars import BarFrame, BarRow, Bars, Series
from core.figures.components.base import By, Component, Follow
from core.figures.components.circuit import Circuit, ResidualSum, Stage, Wired
from core.figures.components.head_grid import HeadGrid, HeadScore
from core.figures.components.ladder import Ladder
from core.figures.components.lattice import Lattice
from core.figures.components.map import Flow
from core.figures.components.matrix import Axis, Category, How, Matrix, Scale, Sheet
from core.figures.components.picture import PictureFigure
from core.figures.components.plot import Plot
from core.figures.components.stepper import Stepper
from core.figures.components.strip import Chip, Strip
from core.figures.components.tiles import Tile, Tiles
from core.figures.components.tree import Node, Tree

__all__ = [
    "Arcs",
    "Axis",
    "BarFrame",
    "BarRow",
    "Bars",
    "By",
    "Category",
    "Chip",
    "Circuit",
    "Component",
    "Flow",
    "Follow",
    "HeadGrid",
    "HeadScore",
    "How",
    "ResidualSum",
    "Ladder",
    "Lattice",
    "Matrix",
    "Node",
    "PictureFigure",
    "Plot",
    "Scale",
    "Series",
    "Sheet",
    "Stage",
    "Stepper",
    "Strip",
    "Tile",
    "Tiles",
    "Tree",
    "Wired",
]
