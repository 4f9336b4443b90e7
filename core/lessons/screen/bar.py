"""What the bar says on a screen of the lessons: which text is shown, and whose it is."""

from __future__ import annotations

import dataclasses
from typing import Any

from core import views, zoo
from core.answers import typed
from core.answers.names import PageNames, screen_of
from core.errors import CoreError
from core.language import _
from core.lessons import Lesson
from core.lessons.hands import Given
from core.lessons.schema import LessonStep
from core.lessons.screen.figures import chosen, own_text
from core.lessons.screen.learner import Learner
from core.lessons.world import params_of
from core.shelf.abilities import model_label, translates
from core.views import View
from core.views.params import OnText

Said = dict[str, Any]
# Between the screens of a lesson what the bar has not keeps its place.
NOTHING: Said = {"text": None, "note": "", "fixed": False, "abroad": False, "keeps": True,
                 "models": [], "model": "", "remarks": [], "machine": {}}  # fmt: skip


def of_the_list(learner: Learner) -> Said:
    """Hers, and the models to choose from."""
    text, chosen_model = learner.sentence or OnText().text, learner.read(PageNames).model
    offered = [[name, model_label(name)] for name in zoo.shelf()]
    return NOTHING | {"text": text, "models": offered, "model": chosen_model}


def of_a_step(learner: Learner, lesson: Lesson, index: int, now: LessonStep | None) -> Said:
    """The sentence of the step that is open, and the model that runs it.

    Args:
        learner: who asks for the screen.
        lesson: the lesson.
        index: the screen's number.
        now: the step; None for the questions before them and after.
    """
    if now is None:
        return NOTHING
    screen = screen_of(lesson.id, index)
    inputs_, varied = own_text(learner, now), chosen(learner, now, screen)
    inputs = {name: {**inputs_[name], **more} for name, more in varied.items()}
    try:
        line = _sentences(learner, now, inputs)
        models = _models(now, inputs)
    except CoreError:
        return NOTHING  # the step says it
    model = models[0] if len(models) == 1 else ""
    offered = [[model, model_label(model)]] if model else []
    line |= {"models": offered, "model": model}
    if line["text"] is not None and model and not line["fixed"]:
        line["remarks"] = typed.remarks(learner.app.runs, line["text"], model, learner.device)
    return line


def _sentences(learner: Learner, now: LessonStep, inputs: Given) -> Said:
    """What runs in a step, and whose it is."""
    takes, abroad = any(figure.own for figure in now.figures), _read_abroad(now)
    text = (abroad and learner.abroad) or learner.sentence
    texts = _texts(now, inputs)
    if not texts:
        return dict(NOTHING)
    if text and text in texts:
        return NOTHING | {"text": text, "note": _("Your own sentence."), "abroad": abroad}
    kept_note = _("The sentence of the lesson. Yours is kept.")
    if takes:
        more = _("The sentence of the lesson. Type your own, and it runs here.")
        return NOTHING | {"text": texts[0], "note": kept_note if text else more, "abroad": abroad}
    if len(texts) > 1:
        several_note = _("The sentences of the lesson.")
        return NOTHING | {"text": " / ".join(texts), "note": several_note, "fixed": True}
    note = kept_note if text else _("The sentence of the lesson.")
    return NOTHING | {"text": texts[0], "note": note, "fixed": True}


def _texts(now: LessonStep, inputs: Given) -> list[str]:
    """The sentences that run in a step, each once."""
    texts = []
    for figure in now.figures:
        params = params_of(figure, inputs[figure.name])
        if reads(views.get(figure.view), params):
            texts.append(str(params.text))
    return list(dict.fromkeys(texts))


def _models(now: LessonStep, inputs: Given) -> list[str]:
    """The models that run in a step, each once."""
    models = (
        getattr(params_of(figure, inputs[figure.name]), "model", "") for figure in now.figures
    )
    return list(dict.fromkeys(filter(None, models)))


def reads(view: View[Any, Any], params: Any) -> bool:
    """Whether what a view shows depends on its text."""
    if not hasattr(params, "text"):
        return False
    other = dataclasses.replace(params, text=params.text + " a")
    return view.requests(params) != view.requests(other)


def _read_abroad(now: LessonStep) -> bool:
    """Whether a model that translates reads what is typed in a step."""
    models = [getattr(params_of(figure, {}), "model", "") for figure in now.figures if figure.own]
    return any(bool(name) and translates(name) for name in models)
