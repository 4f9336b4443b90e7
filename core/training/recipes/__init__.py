"""One recipe a shipped model and kind of machine."""

from core.training.recipe import Recipe, Tier
from core.training.recipes import bert, gpt, pictures, rnn, transformer

RECIPES: dict[tuple[str, Tier], Recipe] = {
    (recipe.id, recipe.tier): recipe
    for recipe in (
        *gpt.RECIPES,
        *bert.RECIPES,
        *rnn.RECIPES,
        *transformer.RECIPES,
        *pictures.RECIPES,
    )
}
