"""Which kind of attention a page shows, for models that have several."""

from __future__ import annotations

import dataclasses

from core.views.attention.head import HeadRun
from core.views.masks.run import MaskRun
from pages.parts import controls


def which_attention(run: HeadRun | MaskRun) -> None:
    """A choice between the kinds of the model's attention; nothing where there is one."""
    blueprint = run.trace.blueprint
    if len(blueprint.attentions) > 1:
        chosen = dataclasses.replace(run.params, attention=run.attention.name)
        controls.part("attention", chosen, blueprint)
