"""One screen of a lesson: text and question beside the live figure they are about."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from core import views
from core.errors import CoreError, NoQuestionError
from core.figures.components import Stepper
from core.figures.text import harmless
from core.glossary import as_html
from core.language import _
from core.lessons.answered import Answered
from core.lessons.filling import fill
from core.lessons.hands import Given, allowed
from core.lessons.player import finished
from core.lessons.posing import Posed, pose
from core.lessons.schema import Figure, Lesson, Step
from core.lessons.world import Shown, World, params_of, requests_of, world_of
from core.views import View
from core.views.map.flowing import FlowParams
from core.views.params import declared
from pages.parts import address, asking, state
from pages.parts.components import mount
from pages.parts.doing import attempted, drawn_on, hands
from pages.parts.figure import result_of
from pages.parts.messages import say, say_english_only, show_error, small_print
from pages.parts.names import Came, Screen, screen_of
from pages.parts.numbers import explaining, numbers
from pages.parts.onward import onward
from pages.parts.runs import ahead, device, sizes
from pages.parts.sentence import typed, typed_abroad
from pages.parts.session import own_session
from pages.parts.stage import picks, places, scope_of, stand, stand_in
from pages.parts.study import follow, own_study
from pages.parts.table import cannot_read, translates
from pages.parts.told import tell_inside
from pages.parts.variation import Made, made_of, offers, tokens
from pages.parts.waiting import standing_in


def step(lesson: Lesson, at: int, now: Step) -> None:
    """Draw a step.

    Args:
        lesson: it belongs to.
        at: the screen's number, by which its figures keep their own state.
        now: the step.
    """
    here = screen_of(lesson.id, at)
    own, varied = own_text(now), _varied(now, here)
    try:
        world = _world(now, own)
        posed, answered = _posed(lesson, now, world)
    except NoQuestionError as problem:
        text(now.before, world.names)
        say("info", problem.sentence(), icon=":material/edit:")
        return
    except CoreError as problem:
        show_error(problem)
        return
    # What she makes of the figures changes neither what was asked nor what is said of it.
    names = world.names if posed is None else posed.names
    given = {name: {**own[name], **more} for name, more in varied.items()}
    open_ = answered is None or posed is None or finished(posed.question, answered)
    made = made_of(now, world, given if any(varied.values()) else {}, names, posed, is_open=open_)
    attempt = attempted(now, here, posed, answered, made, given)
    open_ = answered is None or posed is None or finished(posed.question, answered)
    explain = explaining(world, posed, harmless, is_open=open_)
    said, each = places(now)
    with said:
        _say_which_language(world)
        text(now.before, names, explain)
        if state.lecture():
            sentences(world)
        if posed is not None:
            asking.question(lesson.id, posed.question.id, posed, key=f"question-{lesson.id}",
                            picks=picks(posed, made.drawn, here), attempt=attempt,
                            again=partial(_afresh, now, here))  # fmt: skip
        if open_:
            text(now.after, names, explain)
            offers(made.world, here)
        numbers(_texts(now, is_open=open_), world, posed, f"numbers-{lesson.id}-{at}",
                is_open=open_)  # fmt: skip
    for one, place in zip(made.world.shown, each, strict=True):
        with place:
            hands(now, one, here)
            _figure(now, one, made, Came(lesson.id, at, typed()), is_open=open_)


def _world(now: Step, own: Given) -> World:
    """The runs of a step; something stands in its places while they are waited for."""
    with standing_in(partial(stand_in, now)):
        return world_of(now, result_of, own)


def _figure(now: Step, one: Shown, made: Made, came: Came, *, is_open: bool) -> None:
    """A figure with what belongs to it, or why it cannot be shown."""
    if made.problem is not None:
        if one is made.world.shown[0]:
            show_error(made.problem)
        return
    here = screen_of(came.back_to, came.back_at)
    drawn = made.drawn[one.figure.name]
    pen = drawn_on(now, one, here, drawn)
    whole = stand(one, here, drawn, made.names, is_open=is_open, pen=pen)
    if is_open and "token" in one.figure.offers:
        tokens(one, scope_of(here, one.figure), made.names)
    if whole and is_open:
        if isinstance(one.params, FlowParams):
            tell_inside(one.params, scope_of(here, one.figure))
        _onward(now, one, came, made.names)


def _onward(now: Step, one: Shown, here: Came, names: Mapping[str, Any]) -> None:
    """The way to the page that shows a figure."""
    at = screen_of(here.back_to, here.back_at)
    scopes = [scope_of(at, figure) for figure in now.figures]
    onward(one, here, scope_of(at, one.figure), scopes, one.selected(names))


def _texts(now: Step, *, is_open: bool) -> list[str]:
    """What of a step's texts may be asked about: before the answer nothing that is said after."""
    asks = now.question
    before, after = [now.before], [now.after]
    if asks is not None:
        before, after = [now.before, asks.ask], [asks.solution, now.after]
    return before + after if is_open else before


def sentences_of(now: Step, here: Screen) -> list[str]:
    """The sentences that run in a step as the learner has made it, each once.

    Args:
        now: the step.
        here: its screen.

    Raises:
        CoreError: a figure cannot show what was chosen.
    """
    own, varied, found = own_text(now), _varied(now, here), []
    for figure in now.figures:
        view = views.get(figure.view)
        params = params_of(figure, {**own[figure.name], **varied[figure.name]})
        if reads(view, params):
            found.append(str(params.text))
    return list(dict.fromkeys(found))


def models_of(now: Step, here: Screen) -> list[str]:
    """The models that run in a step as the learner has made it, each once."""
    varied = _varied(now, here)
    found = (getattr(params_of(one, varied[one.name]), "model", "") for one in now.figures)
    return list(dict.fromkeys(filter(None, found)))


def reads(view: View[Any, Any], params: Any) -> bool:
    """Whether what a view shows depends on its text."""
    if not hasattr(params, "text"):
        return False
    other = dataclasses.replace(params, text=params.text + " a")
    return view.requests(params) != view.requests(other)


def sentences(world: World) -> None:
    """What the figures are about, where no bar above says it."""
    texts = [str(one.params.text) for one in world.shown if "text" in one.figure.params]
    for one in dict.fromkeys(texts):
        small_print(_("On the sentence “{text}”").format(text=one))


def _posed(lesson: Lesson, now: Step, world: World) -> tuple[Posed | None, Answered | None]:
    if now.question is None:
        return None, None
    answered = follow().of(lesson.id, now.question.id)
    posed = pose(now.question, world.names, answered.seed)
    own_study().posed(answered, posed.about)  # on another text nothing of it is answered
    return posed, answered


def _afresh(now: Step, here: Screen) -> None:
    """Show in the figures of a step what the lesson says, which the next question is about."""
    scopes = {scope_of(here, one) for one in now.figures}
    names = [name for name in own_session().values if name.rpartition(".")[0] in scopes]
    state.update(dict.fromkeys(names))


def own_text(now: Step) -> dict[str, dict[str, Any]]:
    """By figure, the learner's own sentence where she has typed one and the step takes it."""
    own, abroad = typed(), typed_abroad()

    def hers(figure: Figure) -> str:
        model = getattr(params_of(figure, {}), "model", "")
        if model and translates(model):
            return abroad or ("" if cannot_read(model, own) else own)
        return "" if own == abroad else own

    taken = {one.name: hers(one) if one.own else "" for one in now.figures}
    return {name: {"text": text} if text else {} for name, text in taken.items()}


def _say_which_language(world: World) -> None:
    """That a model of a step has read another language than the one of her own sentence."""
    own = typed()
    reads_it = {
        str(one.params.model)
        for one in world.shown
        if one.figure.own and hasattr(one.params, "model") and one.params.text == own
    }
    for model in sorted(reads_it) if own else ():
        say_english_only(model, own)


def read_abroad(now: Step) -> bool:
    """Whether a model that translates reads what is typed in a step."""
    models = [getattr(params_of(one, {}), "model", "") for one in now.figures if one.own]
    return any(bool(name) and translates(name) for name in models)


def _varied(now: Step, here: Screen) -> dict[str, dict[str, Any]]:
    """By figure, what the learner has chosen there in place of the lesson's."""
    found: dict[str, dict[str, Any]] = {}
    for figure in now.figures:
        cls, scope = views.get(figure.view).Params, scope_of(here, figure)
        _within(figure, scope)
        in_hand = now.question.hands.keys() if now.question is not None else ()
        own = state.read(cls, scope, follow=in_hand)
        chosen = {
            field.name: getattr(own, field.name)
            for field in dataclasses.fields(cls)
            if state.chosen(state.in_scope(field.name, scope))
            and (declared(cls, field.name).lives == "server" or field.name in in_hand)
        }
        found[figure.name] = allowed(now, chosen)
    return found


def _within(figure: Figure, scope: str) -> None:
    """Set right what a new link says beyond the size of a figure's model."""
    model = getattr(params_of(figure, {}), "model", "")
    if model:
        most = sizes(model)
        address.within({state.in_scope(name, scope): last for name, last in most.items()})


def prepare(lesson: Lesson, following: int) -> None:
    """Have what comes next worked out while this is read: all learners of the lesson share it.

    Args:
        lesson: that is open.
        following: which of its steps comes next; what takes seconds is begun at once, wherever.
    """
    try:
        soon = [
            one for step in lesson.steps[following : following + 1] for one in requests_of(step)
        ]
        slow = [one for step in lesson.steps for one in requests_of(step) if one.lasts == "long"]
    except CoreError:
        return  # the step says it
    ahead().prepare(soon + slow, device())


def text(
    markdown: str, names: Mapping[str, Any], explain: Callable[[str, str], str] | None = None
) -> None:
    """A text of a lesson: its holes filled, its terms explained.

    Args:
        markdown: of the text.
        names: numbers and words by name.
        explain: makes a number say where it comes from.
    """
    if not markdown:
        return
    filled = as_html(markdown, lambda words: fill(words, names, harmless, explain))
    st.markdown(filled, unsafe_allow_html=True)  # a term's explanation is HTML of our own


def all_steps(titles: list[str], at: int, before: int = 0) -> None:
    """All steps, and the way to each; what each is called stands above.

    Args:
        titles: of the screens.
        at: the one that is open.
        before: how many of them come before the first step.
    """
    deck = Stepper(
        title=_("Steps of the lesson"), alt=titles[at], n=len(titles), first=at,
        field="lesson_at", keys=False, deck=True, before=before,
        titles=[*titles[:before], *[""] * (len(titles) - before)],
        selection={"lesson_at": at},
    )  # fmt: skip
    mount(deck.folder, deck.payload(), key="lesson-steps")
