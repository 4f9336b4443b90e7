"""The map of a run: towers of blocks, each part a picture of its own numbers."""

from core.figures.components.map.model_map import Map
from core.figures.components.map.towers import Answer, Heads, Tower
from core.figures.components.map.way import Part, Way

__all__ = ["Answer", "Heads", "Map", "Part", "Tower", "Way"]
