"""The page of lessons: the list, a lesson, one that is broken, one that is not there."""

from __future__ import annotations

import html
import re

import pytest

from core.errors import ParameterError
from core.lessons import Lesson, last_test, lesson, lesson_ids, paths
from core.lessons.answered import Answered
from core.lessons.marking import Marked
from core.lessons.player import feedback
from core.lessons.varying import mask_called, masks
from core.lessons.world import requests_of
from core.runs.ahead import Ahead
from core.runs.requests import LookAheadRequest
from core.samples import sample
from core.show import show
from pages.parts import variation
from tests.app.test_pages import check, headers, opened

PAGE = "learn/lessons.py"


def titles(app) -> str:
    return " ".join(str(one.body) for one in app.get("html"))


def cards(app) -> list[str]:
    """The lessons of the list."""
    found = [one.proto.body for one in app.get("html")]
    return [one for one in found if one.startswith("<div class='glass-card'>")]


def test_every_lesson_is_listed():
    app = opened(PAGE)
    check(app)
    said = cards(app)
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        (own,) = (one for one in said if f"<strong>{html.escape(found.title)}</strong>" in one)
        assert "src='data:image/svg+xml;base64," in own


def test_a_lesson_that_is_not_there_is_said_and_the_list_shown():
    app = opened(PAGE, lesson="nothing")
    check(app)
    assert "no lesson called “nothing”" in app.warning[0].value


@pytest.mark.parametrize("ident", lesson_ids())
def test_every_screen_of_a_lesson_opens(ident):
    found = lesson(ident)
    assert isinstance(found, Lesson)
    for at in range(len(found.steps) + 1 + bool(found.probe)):
        app = opened(PAGE, lesson=ident, lesson_at=str(at))
        check(app)
        assert not app.error, (at, app.error)


def goal(**query: str):
    """The page on a step with a goal, of a browser that has told what it keeps."""
    found = lesson("attention")
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("share")
    scope = f"attention.{at}a"
    return opened(PAGE, lesson="attention", lesson_at=str(at),
                  **{f"{scope}.{name}": value for name, value in query.items()})  # fmt: skip


def after(app):
    study = app.session_state["study"]
    study.known = True
    app.run()
    check(app)
    (header,) = headers(app, "question")
    return study.of("attention", header["id"]), header


def test_a_goal_is_answered_by_what_is_in_her_hands():
    answered, header = after(goal())
    assert (answered.done, header["moved"], header["near"]) == (False, False, [])
    assert "solution" not in header
    answered, header = after(goal(off="layer5.head2"))
    assert (answered.done, answered.idea, header["moved"]) == (False, "weight-is-share", True)
    assert "most of its weight" in header["marked"]["says"][0][0]
    assert "22 %" in header["near"][0][0]
    answered, header = after(goal(off="layer4.head1"))
    assert (answered.right, answered.tries, header["done"]) == (True, 1, True)
    assert header["solution"]


def test_a_goal_that_was_found_by_trying_all_heads_says_so_and_does_not_count():
    app, found = goal(), lesson("attention")
    assert isinstance(found, Lesson)
    assert "counts as a try" in after(app)[1]["labels"]["wanted"]
    for head in ("5.head2", "4.head3", "5.head2", "4.head1"):  # back at one that was tried before
        (hands,) = [one for one in app.get("button_group") if "layer 4, head 1" in one.options]
        hands.set_value(f"layer{head}").run()
        check(app)
    (header,) = headers(app, "question")
    study = app.session_state["study"]
    answered = study.of("attention", header["id"])
    assert (answered.right, answered.tries, answered.once) == (True, 3, False)
    assert "try 3" in header["marked"]["says"][0][0]
    assert study.right(found) == 0


def test_the_hands_are_beside_the_figure_and_take_what_they_may():
    app = goal(off="layer4.head0+layer5.head0")
    answered, header = after(app)
    assert (answered.done, header["moved"]) == (False, False)
    (hands,) = [one for one in app.get("button_group") if "layer 4, head 1" in one.options]
    heads = ((5, 2), (4, 3), (4, 1), (3, 3))
    assert list(hands.options) == ["nothing off", *(f"layer {i}, head {n}" for i, n in heads)]
    app.session_state["study"].of("attention", header["id"]).given_up = True
    app.run()
    check(app)
    assert [one for one in app.get("button_group") if "layer 4, head 1" in one.options]


def test_a_cell_that_is_none_of_the_choices_is_said_to_be_none():
    found = lesson("refresher")
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("angle")
    for key, said in (("3", "none of the choices"), ("8", "ate")):
        app = opened(PAGE, lesson="refresher", lesson_at=str(at), **{f"refresher.{at}a.key": key})
        app.session_state["study"].known = True
        app.run()
        check(app)
        (header,) = headers(app, "question")
        assert header["moved"]
        assert said in "".join(part for part, _kind in header["near"])


def test_a_number_with_more_values_than_a_slider_has_stops_is_typed():
    """A goal such as a width of 768 of 32,768 cannot be hit by dragging."""
    found = lesson("scale")
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("grow")
    app = opened(PAGE, lesson="scale", lesson_at=str(at))
    check(app)
    assert [one.label for one in app.slider] == ["Layers"]
    assert [one.label for one in app.number_input] == ["Width d_model", "Feed-forward units"]


def test_a_text_that_no_model_reads_is_refused_beside_its_field(monkeypatch):
    found, real = lesson("attention"), variation.world_of

    def world_of(step, answer, given):
        if any(one.get("text") == "?!" for one in given.values()):
            raise ParameterError("text", "?!", "a text of words")
        return real(step, answer, given)

    monkeypatch.setattr(variation, "world_of", world_of)
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("whose-food")
    app = opened(PAGE, lesson="attention", lesson_at=str(at), **{f"attention.{at}a.text": "?!"})
    answered, header = after(app)
    assert "it must be a text of words" in app.error[0].value
    assert [one.value for one in app.text_input] == ["?!"]  # nothing typed is lost
    assert (answered.done, header["near"]) == (False, [])


def test_a_picture_that_is_drawn_in_the_figure_reaches_a_goal():
    found = lesson("pictures")
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("play")
    drawn = {f"pictures.{at}a.picture": sample("ours-8").picture.as_text()}
    app = opened(PAGE, lesson="pictures", lesson_at=str(at), **drawn)
    app.session_state["study"].known = True
    app.run()
    check(app)
    (pen,) = headers(app, "picture")
    assert pen["draws"]
    assert app.session_state["study"].of("pictures", "make-eight").right
    assert not app.text_input  # no field to type a picture in


def test_a_figure_is_drawn_on_only_where_the_pen_is_in_her_hands():
    app = opened(PAGE, lesson="pictures", lesson_at="1")
    (picture,) = headers(app, "picture")
    assert "draws" not in picture
    (hands,) = [one for one in app.get("button_group") if "a 6" in one.options]
    assert len(hands.options) == 5


def test_a_mask_that_is_painted_in_the_figure_reaches_a_goal():
    found = lesson("masks")
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("leak")
    done = {f"masks.{at}a.mask": "painted:5:hrnvgA"}
    app = opened(PAGE, lesson="masks", lesson_at=str(at), **done)
    app.session_state["study"].known = True
    app.run()
    check(app)
    assert app.session_state["study"].of("masks", "leaking").right
    assert not [one for one in app.get("button_group") if "causal" in one.options]


def test_an_idea_that_was_shown_is_asked_about_again_at_the_end_alone():
    found = lesson("attention")
    assert isinstance(found, Lesson)
    app = opened(PAGE, lesson="attention", lesson_at=str(1 + len(found.steps)))
    n = len(headers(app, "question"))
    assert n == len(found.probe)
    study = app.session_state["study"]
    wrong = found.asking("score").question.wrong
    study.take(study.of("attention", "score"), Marked(False, "not-scaled"), 1.0, wrong)
    app.run()
    check(app)
    *_probe, again = headers(app, "question")
    assert len(_probe) == n
    assert again["id"].startswith("score/attention/again-")
    assert "answer" not in again
    study.take(study.of("attention", again["id"]), Marked(right=True), 1.0, wrong)
    app.run()
    assert headers(app, "question")[-1]["answer"] is not None
    assert study.ideas == {"not-scaled": 1}


def test_what_comes_back_from_another_lesson_says_so():
    masks, attention = lesson("masks"), lesson("attention")
    assert isinstance(masks, Lesson)
    assert isinstance(attention, Lesson)
    app = opened(PAGE, lesson="masks", lesson_at=str(1 + len(masks.steps)))
    study = app.session_state["study"]
    wrong = attention.asking("score").question.wrong
    study.take(study.of("attention", "score"), Marked(False, "not-scaled"), 1.0, wrong)
    app.run()
    check(app)
    said = " ".join(one.value for one in app.markdown)
    assert f"It comes back in a question of the lesson “{attention.title}”" in said


def test_a_step_offers_no_file_of_progress_and_keeps_its_handout_folded():
    found = lesson("first")
    assert isinstance(found, Lesson)
    last = len(found.steps)
    for at, said, tools in ((0, f"step 1 of {last}", False), (last, "after the last step", True)):
        app = opened(PAGE, lesson="first", lesson_at=str(at))
        assert f"{found.title} · {said}" in titles(app)
        assert headers(app, "progress")[0]["tools"] is tools
        (folded,) = (one for one in app.expander if one.label == "For teachers: handout, file")
        assert not folded.proto.expanded


def test_who_has_chosen_a_course_reads_what_its_slides_may_say():
    said = "Berkeley, Spring 2022"
    app = opened(PAGE, lesson="attention", lesson_at="1", path="000")
    check(app)
    assert said in titles(app)
    (notes,) = (one for one in app.expander if one.label == "Notes for teachers")
    assert "divide by √D" in notes.markdown[0].value
    app = opened(PAGE, lesson="attention", lesson_at="1")
    assert said not in titles(app)
    assert not [one for one in app.expander if one.label == "Notes for teachers"]


def test_the_lessons_stand_in_the_order_of_a_lecture():
    said = [re.search("<strong>(.*)</strong>", one)[1] for one in cards(opened(PAGE, path="003"))]
    wanted = [lesson(ident).title for ident in paths()["003"]]
    assert list(map(html.unescape, said)) == wanted
    assert len(wanted) < len(lesson_ids())


def test_a_path_that_is_not_there_shows_all():
    app = opened(PAGE, path="999")
    check(app)
    assert len([one for one in app.button if one.label == "Open"]) == len(lesson_ids())


def said_by(app) -> str:
    """What the page says as HTML, and in its texts."""
    return titles(app) + " ".join(one.value for one in app.markdown)


def test_a_number_says_where_it_comes_from_and_nothing_of_what_is_covered():
    app = opened(PAGE, lesson="attention", lesson_at="4")
    box, _files = app.expander
    assert box.label == "Where do these numbers come from?"
    assert "class='glass-origins'" not in titles(app)  # costs nothing until it is opened
    app.session_state["numbers-attention-4"] = True
    app.run()
    check(app)
    assert "core/nn/attention.py:" in titles(app)
    assert "sum(weights" not in said_by(app)  # which is the answer
    app.session_state["study"].of("attention", "output").given_up = True
    app.run()
    check(app)
    assert "sum(weights[“" in titles(app)


def test_a_number_in_the_text_is_a_term_and_words_of_the_run_stay_words():
    app = opened(
        PAGE, lesson="attention", lesson_at="3", text="<b>A</b> *cat* `sat` $x$ [on](y) it"
    )
    check(app)
    said = said_by(app)
    assert "tabindex='0' aria-describedby='number-0'>256" in said
    assert said.count("id='number-0'") == 1
    assert "d\\_model = 256" in said
    assert "<b>A" not in said


def test_of_a_formula_over_what_is_covered_no_operand_is_said_before_the_answer():
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    at = 1 + next(n for n, one in enumerate(masks.steps) if one.id == "grow")
    app = opened(PAGE, lesson="masks", lesson_at=str(at))
    app.session_state[f"numbers-masks-{at}"] = True
    app.run()
    check(app)
    covered = next(one.body for one in app.get("html") if "class='glass-origins'" in str(one.body))
    assert "sum(exp(scores[" in covered
    assert "exp([" not in covered


def test_the_next_step_is_worked_out_while_this_one_is_read(monkeypatch):
    asked: list = []
    monkeypatch.setattr(
        Ahead, "prepare", lambda _self, requests, _device: asked.append([*requests])
    )
    masks = lesson("masks")
    assert isinstance(masks, Lesson)
    check(opened(PAGE, lesson="masks", lesson_at="2"))
    slow = LookAheadRequest()
    assert asked[-1] == [*requests_of(masks.steps[2]), slow]
    check(opened(PAGE, lesson="masks", lesson_at=str(len(masks.steps))))
    assert asked[-1] == [slow]


def test_a_player_stands_only_where_a_text_is_continued():
    """Everywhere else it would draw at the end of a text while the bars show another place."""
    for ident in lesson_ids():
        found = lesson(ident)
        assert isinstance(found, Lesson)
        for step in found.steps:
            for figure in step.figures:
                assert figure.view != "predict.next" or not figure.play, (ident, step.id)


def test_a_step_offers_the_tokens_of_its_text():
    found = lesson("gpt")
    assert isinstance(found, Lesson)
    at = 1 + [step.id for step in found.steps].index("top-p")
    app = opened(PAGE, lesson="gpt", lesson_at=str(at))
    study = app.session_state["study"]
    study.of("gpt", "top-p-count").given_up = True
    app.run()
    check(app)
    (tokens,) = app.get("button_group")
    assert list(tokens.options)[:3] == ["⟨start⟩", "Once", "·upon"]
    assert not headers(app, "stepper")[1:]  # the steps of the lesson, and no player


@pytest.mark.parametrize(("right", "promise"), [
    (True, "**You can now:**"), (False, "**Once what you missed is clear, you can:**"),
])  # fmt: skip
def test_what_can_be_done_is_said_after_the_last_answer_and_only_now_if_all_are_right(
    right, promise
):
    found = lesson("gpt")
    assert isinstance(found, Lesson)
    app = opened(PAGE, lesson="gpt", lesson_at=str(len(found.steps) + 1))
    able = found.able[0]
    assert able not in said_in(app)
    study = app.session_state["study"]
    for ident in found.probe:
        study.of("gpt", f"{ident}/after").right = right
        study.of("gpt", f"{ident}/after").tries = int(right)
        study.of("gpt", f"{ident}/after").given_up = not right
    app.run()
    check(app)
    assert f"{promise}\n- {able}" in said_in(app)
    for ident in found.probe:  # what its question speaks of can be read beside it
        asks = found.asking(ident)
        (beside,) = (one for one in app.expander if asks.title in one.label)
        assert beside.markdown[0].value.split()[:3] == asks.before.split()[:3]


def said_in(app) -> str:
    return "\n".join(one.value for one in app.markdown)


def test_the_probe_at_the_end_speaks_of_no_hints():
    said = {}
    for hints in (True, False):
        parts = feedback(object(), Answered(tries=1), hints=hints)
        said[hints] = "".join(words for words, _styles in parts)
    assert "hint" in said[True]
    assert "hint" not in said[False]


def test_a_mask_is_offered_as_a_choice():
    run = show("masks.grid", text="A cat sat", mask="window:2").record
    offered = masks(run)
    assert {"none", "causal", "window:2"} <= set(offered)
    assert [mask_called(one) for one in ("causal", "window:2", "own")] == [
        "causal", "sliding window 2", "the model's own"
    ]  # fmt: skip


def in_the_test(at: int):
    """A screen of the last test, of a browser that has told what it keeps."""
    app = opened(PAGE, lesson=last_test.NAME, lesson_at=str(at))
    app.session_state["study"].known = True
    app.run()
    check(app)
    return app


def test_the_last_test_waits_for_what_the_browser_keeps():
    app = opened(PAGE, lesson=last_test.NAME)
    check(app)
    assert not headers(app, "question")
    assert not app.session_state["study"].answers


def test_a_question_of_the_last_test_has_one_try_and_then_its_solution():
    app = in_the_test(0)
    assert "Question 1 of 30" in titles(app)
    study, (header,) = app.session_state["study"], headers(app, "question")
    assert (header["done"], header["more_hints"]) == (False, False)
    study.of(last_test.NAME, header["id"]).tries = 1
    app.run()
    check(app)
    (header,) = headers(app, "question")
    assert header["done"]
    assert header["solution"]


def test_the_last_test_ends_with_a_score_by_lesson():
    app = in_the_test(30)
    study = app.session_state["study"]
    puts = last_test.last_test(study, "en")
    assert "30 questions are still open." in [one.value for one in app.markdown]
    (header,) = headers(app, "result")
    assert not any(row["again"] for row in header["rows"])
    for put in puts:
        answered = study.of(*put.back.key)
        answered.tries, answered.right = 1, put.owner.id != "masks"
    app.run()
    check(app)
    assert "Take another test" in [one.label for one in app.button]
    (header,) = headers(app, "result")
    n = sum(put.owner.id == "masks" for put in puts)
    assert header["said"] == f"Right answers: {30 - n} of 30"
    (own,) = (row for row in header["rows"] if row["lesson"] == lesson("masks").title)
    assert (own["right"], len(own["again"])) == (f"0 of {n}", n)
    assert all(not row["again"] for row in header["rows"] if row != own)


def test_the_list_leads_to_the_last_test():
    app = opened(PAGE)
    assert "Take the last test" in [one.label for one in app.button]


def test_what_was_answered_on_another_sentence_opens_nothing():
    app = opened(PAGE, lesson="attention", lesson_at="3")
    app.session_state["study"].of("attention", "score").right = True
    app.run()
    check(app)
    assert headers(app, "question")[0]["done"]
    assert headers(app, "way")  # the figure is open
    app.session_state["glassformer"].values["text"] = "My sister loves music"
    app.run()
    check(app)
    assert not headers(app, "question")[0]["done"]
    assert not headers(app, "way")
