"""The lessons: the list of all, and the one that is open, a screen at a time."""

import html
from functools import partial
from typing import Literal

import streamlit as st

from core.errors import CoreError, LessonError
from core.language import _, language
from core.lessons import ALL, Lesson, last_test, lesson, lesson_ids, paths
from core.lessons.asking_again import probe
from core.lessons.courses import called
from core.lessons.schema import Step
from core.lessons.world import world_of
from pages.parts import asking, controls, state
from pages.parts.course import of_the_course
from pages.parts.figure import fetch_plotly, is_plot, result_of
from pages.parts.fragments import part
from pages.parts.last_test import ask, first_open, questions, result
from pages.parts.lesson import all_steps, prepare, step, text
from pages.parts.lesson_cards import card
from pages.parts.messages import say, show_error, small_print
from pages.parts.names import Learning
from pages.parts.once_more import once_more
from pages.parts.page import go_to, heading
from pages.parts.sentence import typed
from pages.parts.study import follow, one_for_all, progress
from pages.server import lesson_files

HEAD = "lesson-head"  # the key of a step's title
LIST = "lesson-list"  # and of the list's
ACROSS = 3  # lessons side by side in the list


def screen() -> None:
    """The open lesson, or the list."""
    learning = state.read(Learning)
    if learning.lesson == last_test.NAME:
        _last_test(learning.lesson_at)
        return
    found = lesson(learning.lesson, language()) if learning.lesson in lesson_ids() else None
    if isinstance(found, Lesson):
        _lesson(found, min(learning.lesson_at, len(found.steps) + bool(found.probe)))
        return
    if learning.lesson and found is None:
        say("warning", _("There is no lesson called “{id}” here.").format(id=learning.lesson))
    _list()


def _list() -> None:
    """Every lesson, with what has been done of it."""
    with st.container(key=LIST):
        _what_they_are()
    progress(tools=True, whose=True)
    learning = state.read(Learning)
    controls.menu("path", learning, tuple(paths()), _path)
    idents = lesson_ids(learning.path) or lesson_ids()
    for row in (idents[at : at + ACROSS] for at in range(0, len(idents), ACROSS)):
        for column, ident in zip(st.columns(ACROSS), row, strict=False):
            with column:
                _card(ident)
    _way_to_the_test()


def _what_they_are() -> None:
    heading(
        _("What do you want to understand?"),
        claim=_("From [[tokens]] to [[attention]] and the next word: each lesson asks you first "
                "and shows you then, on the numbers of a model that runs here. Type a sentence of "
                "your own above, and the lessons use it where they can."),
        terms=("softmax", "logit", "causal-mask", "cross-attention", "huffman"),
    )  # fmt: skip


def _card(ident: str) -> None:
    found = lesson(ident, language())
    if isinstance(found, LessonError):
        say("error", _("This lesson's file is broken: {reason}").format(reason=str(found)))
        return
    study = follow()
    asked = {one.question.id: n for n, one in enumerate(found.steps) if one.question is not None}
    answers = {name: study.of(ident, name) for name in asked}
    reached = [
        asked[name] for name, one in answers.items() if one.once or one.tries or one.given_up
    ]
    follows = max(reached) + 1 if reached else 0
    on = (follows + 1, partial(_begin, found, follows)) if 0 < follows < len(found.steps) else None
    right = sum(one.once for one in answers.values()) if reached else None
    card(found, right, len(asked), len(reached), partial(_begin, found), on)


def _way_to_the_test() -> None:
    """A test over all lessons, for who has been through them."""
    said = _("{n} questions over all lessons, on other numbers where there are any. Those that "
             "you missed are among them. There is one try at each.")  # fmt: skip
    st.markdown(said.format(n=last_test.MOST))
    controls.button(_("Take the last test"), "last-test", _to_the_test, icon=":material/quiz:")


def _to_the_test() -> None:
    _go(first_open(), last_test.NAME)


def _last_test(at: int) -> None:
    """A question of the last test, or its result."""
    if not follow().known:  # what her browser keeps decides what is asked
        progress(tools=False)
        return
    puts = questions()
    at = min(at, len(puts))
    titles = [_("Question {n} of {of}").format(n=n, of=len(puts)) for n in range(1, len(puts) + 1)]
    titles.append(_("My result"))
    _above(_("Last test over all lessons"), titles, at)
    if at < len(puts):
        ask(puts[at], at)
    else:
        result(puts, _go)
    _ways(len(titles), at)
    progress(tools=False)


def _above(what: str, titles: list[str], at: int, before: int = 0) -> None:
    """What is open, its screen, and the way to each; ``before``: of those, how many are no step."""
    with st.container(key=HEAD):
        st.html(
            f"<p class='glass-what'>{html.escape(what)}</p>"
            f"<h1 class='glass-title' data-about='{at}'>{html.escape(titles[at])}</h1>"
        )
    all_steps(titles, at, before)


def _path(name: str) -> str:
    """What a path is called."""
    return _("our own path") if name == ALL else called(name)


def _go(at: int, ident: str | None = None) -> None:
    changes = {"lesson_at": at} if ident is None else {"lesson": ident or None, "lesson_at": at}
    state.update(changes)
    go_to(HEAD, far=True, turns=True)


def _begin(found: Lesson, at: int = 0) -> None:
    """At its first step, or a later one: what she knows already is asked for where she asks."""
    _go(int(bool(found.probe)) + at, found.id)


def _leave() -> None:
    """To the top of the list."""
    state.update({"lesson": None, "lesson_at": None})
    go_to(LIST, far=True)


def _lesson(found: Lesson, at: int) -> None:
    first = int(bool(found.probe))  # a tour begins with its first step
    titles = [one.title for one in found.steps] + [_("After")]
    titles = [_("Before"), *titles] if first else titles
    _above(_count(found, at + 1 - first), titles, at, before=first)
    now = found.steps[at - first] if first <= at < len(titles) - 1 else None
    one_for_all(found, now.question.id if now is not None and now.question is not None else "")
    if at == 0:
        progress(tools=False, whose=True)
    if at < first:
        _able(_("**When you are through, you can:**"), found)
        _probe(found, "before")
    elif now is not None:
        step(found, at, now)
        if first and at == first and not _probed(found):
            controls.button(_("What do you know already?"), "lesson-probe", partial(_go, 0),
                            type="tertiary", icon=":material/quiz:")  # fmt: skip
    else:
        if first:
            _probe(found, "after")
            once_more(found, at)
        _gained(found)
    _ways(len(titles), at)
    _files(found, now)
    of_the_course(found)
    if at > 0:
        progress(tools=at == len(titles) - 1)
    prepare(found, at + 1 - first)
    if any(is_plot(figure.view) for one in found.steps for figure in one.figures):
        fetch_plotly()


def _count(found: Lesson, n: int) -> str:
    """How far she is: what comes before the first step and after the last is no step."""
    of = len(found.steps)
    if n > of:
        return _("{title} · after the last step").format(title=found.title)
    count = _("{title} · step {n} of {of}") if n > 0 else _("{title} · before the first step")
    return count.format(title=found.title, n=n, of=of)


def _able(words: str, found: Lesson) -> None:
    """What a lesson promises, a line each."""
    st.markdown(words + "".join(f"\n- {one}" for one in found.able))


def _ways(n: int, at: int) -> None:
    """Back and on."""
    back, on, leave = st.columns([1, 1, 4])
    with back:
        controls.button(_("Back"), "lesson-back", partial(_go, at - 1), about=at, disabled=at == 0,
                        width="stretch")  # fmt: skip
    with on:
        controls.button(_("Next"), "lesson-next", partial(_go, at + 1), about=at,
                        disabled=at == n - 1, type="primary", width="stretch")  # fmt: skip
    with leave:
        controls.button(_("All lessons"), "lesson-leave", _leave, type="tertiary")


def _probed(found: Lesson) -> bool:
    """Whether she has said what she knew before."""
    answers = (follow().of(found.id, f"{ident}/before") for ident in found.probe)
    return any(one.tries or one.given_up for one in answers)


def _probe(found: Lesson, when: Literal["before", "after"]) -> None:
    """The same few questions, on other data before and after."""
    said = _("A few questions to end with.")
    if when == "before":
        said = _("What do you know already? Nothing is explained yet: you will see the same "
                 "questions on other numbers at the end. Next skips them.")  # fmt: skip
    elif _probed(found):
        said = _("The questions of the beginning, on other numbers.")
    st.markdown(said)
    for ident in found.probe:
        asks = found.asking(ident)
        assert asks.question is not None
        sentences = {str(one.params["text"]) for one in asks.figures if "text" in one.params}
        for sentence in sentences:
            small_print(_("On the sentence “{text}”").format(text=sentence))
        try:
            world = world_of(asks, result_of)
            posed = probe(asks.question, world.names, when, follow().seed)
        except CoreError as problem:
            show_error(problem)
            continue
        if asks.before:  # what the question speaks of, for who needs it
            with st.expander(_("From the step “{title}”").format(title=asks.title)):
                text(asks.before, world.names)
        asking.question(found.id, f"{ident}/{when}", posed, key=f"probe-{ident}", when=when)


def _gained(found: Lesson) -> None:
    """What was right before, what is now, and what comes next."""
    study = follow()
    through, right, asked = True, 0, 0
    for when, said in (("before", _("Before the lesson")), ("after", _("After it"))):
        answers = [study.of(found.id, f"{ident}/{when}") for ident in found.probe]
        through = all(one.tries or one.given_up for one in answers)  # of the last, those after
        right, asked = sum(one.right for one in answers), len(answers)
        if any(one.tries or one.given_up for one in answers):
            st.markdown(said)
            asking.solved(right, asked)
    if through:
        able = _("**You can now:**")
        if right < asked:
            able = _("**Once what you missed is clear, you can:**")
        _able(able, found)
    for one in found.sums_up:
        st.markdown(one)
    order = lesson_ids(state.read(Learning).path)
    if found.id == order[-1]:
        _way_to_the_test()
    elif found.id in order:
        ident = order[order.index(found.id) + 1]
        following = lesson(ident, language())
        if isinstance(following, Lesson):
            said = _("Next lesson: {title}").format(title=following.title)
            controls.button(said, "lesson-following", partial(_begin, following))


def _files(found: Lesson, now: Step | None) -> None:
    """The lesson on paper, and the step that is open as a file, for who looks for them."""
    asked = now.question if now is not None else None
    seed = follow().of(found.id, asked.id).seed if asked is not None else 0
    with st.expander(_("For teachers: handout, file"), key="for-teachers"):
        lesson_files.links(found, now, typed(), seed)


part("lesson", screen)
