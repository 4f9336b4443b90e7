"""One recipe a shipped model and kind of machine; every file here may hold some, as ``RECIPES``."""

import importlib  # noqa: TID251 (each module of a package of ours, by its name)
import pkgutil
from collections.abc import Iterator

from core.training.recipe import Recipe, Tier


def _find_recipes() -> Iterator[Recipe]:
    for module in pkgutil.iter_modules(__path__):
        yield from getattr(importlib.import_module(f"{__name__}.{module.name}"), "RECIPES", ())


RECIPES: dict[tuple[str, Tier], Recipe] = {
    (recipe.id, recipe.tier): recipe for recipe in _find_recipes()
}
