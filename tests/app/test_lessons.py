"""The lessons: the list, a lesson, one that is broken, one that is not there."""

from __future__ import annotations

import pytest

from core.data.samples import sample
from core.errors import ParameterError
from core.lessons import last_test, lesson_ids, paths
from core.lessons.answered import QuestionRecord
from core.lessons.marking import Marked
from core.lessons.player import feedback
from core.lessons.screen import figures
from core.lessons.screen.learner import Learner
from core.lessons.screen.listing import SIZE, WIDEST, picture_of
from core.lessons.study import Study
from core.lessons.world import requests_of
from core.runs.kinds.training import LookAheadRequest
from core.runs.prefetching import Prefetcher
from pages.parts.app import app
from tests.app.played import Played, given_up, opened, plain, screen_at, text_of, the_lesson


def cards(her: Played) -> list[dict]:
    """The lessons of the list."""
    (found,) = her.blocks("cards")
    return found["cards"]


def test_every_lesson_is_listed():
    her = opened()
    assert [(one["id"], one["title"]) for one in cards(her)] == [
        (ident, the_lesson(ident).title) for ident in lesson_ids()
    ]
    for one in cards(her):
        assert one["picture"].startswith(f"/lesson/{one['id']}/card.svg?")


def test_a_card_says_how_far_she_is_and_where_she_goes_on():
    found, study = the_lesson("attention"), Study()
    n = len(found.question_ids)
    (first,) = [one for one in cards(opened()) if one["id"] == "attention"]
    assert (first["done"], f"{n} questions" in first["say"]) == (0, True)
    assert [one["key"] for one in first["blocks"]] == ["open-attention"]
    assert first["blocks"][0]["sets"] == {"lesson": "attention", "lesson_at": "1"}
    asks = [at for at, one in enumerate(found.steps) if one.question is not None]
    question = found.steps[asks[0]].question
    assert question is not None
    study.take(study.of("attention", question.id), Marked(right=True), 1.0, {})
    (now,) = [one for one in cards(opened(study=study)) if one["id"] == "attention"]
    assert (now["done"], f"1 of {n} right" in now["say"]) == (round(100 / n), True)
    assert now["blocks"][0]["sets"]["lesson_at"] == str(asks[0] + 2)


def test_a_card_says_what_one_will_be_able_to_do_and_a_finished_lesson_is_only_opened():
    found, study = the_lesson("attention"), Study()
    for ident in found.question_ids:
        study.take(study.of("attention", ident), Marked(right=ident != "score"), 1.0, {})
    study.take(study.of("attention", "score"), Marked(right=True), 1.0, {})
    (card,) = [one for one in cards(opened(study=study)) if one["id"] == "attention"]
    assert card["able"].startswith("You will be able to say what query, key and value are for")
    assert [one["say"] for one in card["blocks"]] == ["Open"]  # a step without a question is left
    her = Played(study, lesson="attention", lesson_at=found.first + len(found.steps)).ask()
    n = len(found.question_ids)
    assert her.screen["title"] == "What you know now"
    assert f"{n} of {n} right, {n - 1} at the first try" in her.said
    deck, steps = her.screen["deck"], len(found.steps)
    assert deck["n"] - deck["before"] - deck["after"] == steps


def test_the_picture_of_a_lesson_is_whole_and_has_no_letters():
    drawn = picture_of(Learner.of(app(), {}), the_lesson("attention"))
    assert "<text" not in drawn
    size = SIZE.search(drawn)
    assert size is not None
    assert int(size[1]) <= WIDEST * int(size[2])


def test_a_lesson_that_is_not_there_is_said_and_the_list_shown():
    her = opened("nothing")
    assert "no lesson called “nothing”" in her.notes["warning"][0]
    assert len(cards(her)) == len(lesson_ids())


@pytest.mark.parametrize("ident", lesson_ids())
def test_every_screen_of_a_lesson_opens(ident):
    found = the_lesson(ident)
    for at in range(found.first + len(found.steps) + 1):
        her = opened(ident, at)
        assert (her.screen["at"], her.notes["error"]) == (at, [])


def test_a_screen_beyond_the_last_is_the_last():
    assert opened("attention", 99).screen["at"] == len(the_lesson("attention").steps) + 1
    assert opened("attention", "x").screen["at"] == opened("attention").screen["at"]


@pytest.mark.parametrize("ident", ["attention", "first"])
def test_a_lesson_opens_on_its_first_step_and_a_link_on_the_one_that_it_names(ident):
    found = the_lesson(ident)
    her = opened(ident)
    assert (her.screen["title"], her.screen["at"]) == (found.steps[0].title, found.first)
    assert opened(ident, 3).screen["title"] == found.steps[3 - found.first].title
    assert her.notes["error"] == []


def test_the_first_step_promises_a_line_and_leads_to_what_is_known_already():
    found, study = the_lesson("attention"), Study()
    her = opened("attention")
    promise, way = her.screen["opening"]
    assert promise["say"] == f"When you are through, you can {found.able[0].rstrip(';')}."
    before = her.press("lesson-probe").screen
    assert (way["say"], before["at"]) == (before["title"], 0)
    assert "opening" not in opened("attention", 2).screen
    study.of("attention", f"{found.probe[0]}/before").tries = 1
    assert len(opened("attention", study=study).screen["opening"]) == 1  # they were asked
    assert len(opened("first").screen["opening"]) == 1  # nothing is asked before a tour


def goal(ident: str = "attention", step: str = "share", study: Study | None = None, **hands: str):
    """A step with a goal, and what is in her hands there."""
    at = screen_at(ident, step)
    return opened(ident, at, study, **{f"{ident}.{at}a.{name}": it for name, it in hands.items()})


def answer_of(her: Played, ident: str = "attention") -> QuestionRecord:
    return her.kept().of(ident, her.question["id"])


def test_a_goal_is_answered_by_what_is_in_her_hands():
    her = goal()
    header = her.question
    assert (answer_of(her).done, header["moved"], header["near"]) == (False, False, [])
    assert "solution" not in header
    her = goal(off="layer5.head2")
    header = her.question
    assert (answer_of(her).done, header["moved"]) == (False, True)
    assert "weight-is-share" in her.kept().ideas
    assert "most of its weight" in header["marked"]["says"][0][0]
    assert "22 %" in header["near"][0][0]
    her = goal(off="layer4.head1")
    assert (answer_of(her).right, answer_of(her).tries, her.question["done"]) == (True, 1, True)
    assert her.question["solution"]


def test_a_goal_that_was_found_by_trying_all_heads_says_so_and_does_not_count():
    her = goal()
    assert "counts as a try" in her.question["labels"]["wanted"]
    (scope,) = {one["scope"] for one in her.blocks("controls")}
    for head in ("5.head2", "4.head3", "5.head2", "4.head1"):  # back at one that was tried before
        her.set({f"{scope}.off": f"layer{head}"})
    answered = answer_of(her)
    assert (answered.right, answered.tries, answered.once) == (True, 3, False)
    assert "try 3" in her.question["marked"]["says"][0][0]
    assert her.kept().right(the_lesson("attention")) == 0


def test_a_goal_is_shown_by_moving_the_hands_and_begun_again_by_putting_them_back():
    her = goal()
    her.does("give")
    assert her.state[f"{scope_of(her)}.off"] == "layer4.head1"
    assert her.question["given_up"]
    assert her.question["solution"]
    her.does("again")
    assert f"{scope_of(her)}.off" not in her.state
    assert not her.question["done"]
    assert "solution" not in her.question


def scope_of(her: Played) -> str:
    """Of the figure that is in her hands."""
    return her.blocks("controls")[0]["scope"]


def options(her: Played, *wanted: str) -> list[list[str]]:
    """What each control offers that offers these."""
    found = [[label for _value, label in one.get("options", [])] for one in her.controls]
    return [labels for labels in found if set(wanted) <= set(labels)]


def test_the_hands_are_beside_the_figure_and_take_what_they_may():
    her = goal(off="layer4.head0+layer5.head0")
    assert (answer_of(her).done, her.question["moved"]) == (False, False)
    (offered,) = options(her, "layer 4, head 1")
    heads = ((5, 2), (4, 3), (4, 1), (3, 3))
    assert offered == ["nothing off", *(f"layer {i}, head {n}" for i, n in heads)]
    assert options(goal(study=given_up("attention")), "layer 4, head 1")


def test_a_cell_that_is_none_of_the_choices_is_said_to_be_none():
    at = screen_at("refresher", "angle")
    for key, said in (("3", "none of the choices"), ("8", "ate")):
        her = opened("refresher", at)
        assert f"refresher.{at}a.key" in her.screen["follows"]
        her.set({f"refresher.{at}a.key": key})
        assert her.question["moved"]
        assert said in plain(her.question["near"])


def test_a_text_that_no_model_reads_is_refused_beside_its_field(monkeypatch):
    real = figures.world_of

    def world_of(step, answer, given):
        if any(one.get("text") == "?!" for one in given.values()):
            raise ParameterError("text", "?!", "a text of words")
        return real(step, answer, given)

    monkeypatch.setattr(figures, "world_of", world_of)
    her = goal("attention", "whose-food", text="?!")
    assert "it must be a text of words" in her.notes["error"][0]
    (field,) = [one for one in her.controls if one["name"] == "text"]
    assert field["value"] == "?!"  # nothing typed is lost
    assert (answer_of(her).done, her.question["near"]) == (False, [])


def test_a_picture_that_is_drawn_in_the_figure_reaches_a_goal():
    at = screen_at("pictures", "play")
    her = opened("pictures", at)
    her.set({f"pictures.{at}a.picture": sample("ours-8").picture.as_text()})
    (pen,) = her.figures("picture")
    assert pen["draws"]
    assert her.kept().of("pictures", "make-eight").right
    assert not [one for one in her.controls if one["kind"] == "text"]  # no field for a picture


def test_a_mask_that_is_painted_in_the_figure_reaches_a_goal():
    at = screen_at("masks", "leak")
    her = opened("masks", at).set({f"masks.{at}a.mask": "painted:5:hrnvgA"})
    assert her.kept().of("masks", "leaking").right
    assert not options(her, "causal")


def test_an_idea_that_was_shown_is_asked_about_again_at_the_end_alone():
    found, study = the_lesson("attention"), Study()
    end = len(found.steps) + 1
    assert len(opened("attention", end).questions) == len(found.probe)
    wrong = found.asking("score").question.wrong
    study.take(study.of("attention", "score"), Marked(False, "not-scaled"), 1.0, wrong)
    her = opened("attention", end, study)
    *probe, back = her.questions
    assert len(probe) == len(found.probe)
    assert back["id"].startswith("score/attention/again-")
    assert "answer" not in back
    her.does("give")
    assert her.questions[-1]["id"] == back["id"]
    assert her.questions[-1]["answer"] is not None
    assert her.kept().ideas == {"not-scaled": 0}


def test_what_comes_back_stays_while_the_other_questions_are_answered():
    found, study = the_lesson("attention"), Study()
    wrong = found.asking("score").question.wrong
    study.take(study.of("attention", "score"), Marked(False, "not-scaled"), 1.0, wrong)
    her = opened("attention", len(found.steps) + 1, study)
    before = her.questions[-1]
    for n in range(len(found.probe)):
        her.does("give", n)
        after = her.questions[-1]
        assert (after["asks"], after["ask"]) == (before["asks"], before["ask"])
    study = her.kept()
    study.ideas.clear()  # as if she had been right twice meanwhile
    her = opened("attention", len(found.steps) + 1, study)
    assert her.questions[-1]["asks"] == before["asks"]
    assert all(one["done"] for one in her.questions[:-1])
    right = opened("attention", len(found.steps) + 1, her.kept()).does("give")
    her.answer(right.questions[-1]["answer"])
    assert her.questions[-1]["marked"]["right"]


def test_a_step_offers_no_file_of_progress_and_keeps_its_handout_folded():
    found = the_lesson("first")
    last = len(found.steps)
    for at, said, tools in ((0, f"step 1 of {last}", False), (last, "after the last step", True)):
        her = opened("first", at)
        assert her.screen["what"] == f"{found.title} · {said}"
        assert her.screen["progress"]["tools"] is tools
        assert [one["key"] for one in her.blocks("fold") if one["title"].startswith("For teach")]


def test_who_has_chosen_a_course_reads_what_its_slides_may_say():
    said = "Berkeley, Spring 2022"
    her = opened("attention", 1, path="000")
    assert said in her.said
    (notes,) = (one for one in her.blocks("fold") if one["title"] == "Notes for teachers")
    assert "divide by √D" in text_of(notes["blocks"][0]["words"])
    her = opened("attention", 1)
    assert said not in her.said
    assert "Notes for teachers" not in her.said


def test_the_lessons_stand_in_the_order_of_a_lecture():
    said = [one["id"] for one in cards(opened(path="003"))]
    assert said == list(paths()["003"])
    assert len(said) < len(lesson_ids())


def test_a_number_says_where_it_comes_from_and_nothing_of_what_is_covered():
    her = opened("attention", 4)
    (box,) = (one for one in her.blocks("fold") if one["key"] == "numbers")
    assert box["title"] == "Where do these numbers come from?"
    assert not box["blocks"]  # costs nothing until it is opened
    her.folds.add("numbers")
    her.ask()
    assert b"core/nn/attention.py:" in her.bytes
    assert b"sum(weights" not in her.bytes  # which is the answer
    her.does("give")
    assert "sum(weights[“" in str(her.blocks("origin"))


def test_a_number_in_the_text_is_a_term_and_words_of_the_run_stay_words():
    her = opened("attention", 3, text="<b>A</b> *cat* `sat` $x$ [on](y) it")
    first = str(her.blocks("words")[0])
    assert "'glass-term glass-number', 'tabindex': '0'" in first
    assert first.count("-0'}, '256'") == 1
    assert "d_model = 256" in first
    assert "<b>A" not in first
    assert "['b', {}, 'A" not in first
    assert "'em'" not in first
    assert "'a', {" not in first


def test_of_a_formula_over_what_is_covered_no_operand_is_said_before_the_answer():
    her = opened("masks", screen_at("masks", "grow"))
    her.folds.add("numbers")
    her.ask()
    covered = str(her.blocks("origin"))
    assert "sum(exp(scores[" in covered
    assert "exp([" not in covered


def test_the_next_step_is_worked_out_while_this_one_is_read(monkeypatch):
    asked: list = []
    monkeypatch.setattr(
        Prefetcher, "prepare", lambda _self, requests, _device: asked.append([*requests])
    )
    found, slow = the_lesson("masks"), LookAheadRequest()
    opened("masks", 2)
    assert asked[-1] == [*requests_of(found.steps[2]), slow]
    opened("masks", len(found.steps))
    assert asked[-1] == [slow]


def test_a_variation_changes_the_figure_and_not_what_was_asked():
    her = opened("attention", 1, given_up("attention"))
    first, asked = her.arrays.keys(), [one["asks"] for one in her.questions]
    her.set({"attention.1a.head": "2"})
    assert her.arrays.keys() != first
    assert [one["asks"] for one in her.questions] == asked
    (control,) = [one for one in her.controls if one["name"] == "head"]
    assert control["value"] == "2"


@pytest.mark.parametrize(("right", "promise"), [
    (True, "You can now:"), (False, "Once what you missed is clear, you can:"),
])  # fmt: skip
def test_what_can_be_done_is_said_after_the_last_answer_and_only_now_if_all_are_right(
    right, promise
):
    found, study = the_lesson("gpt"), Study()
    end, able = len(found.steps) + 1, found.able[0]
    assert able not in opened("gpt", end).said
    for ident in found.probe:
        one = study.of("gpt", f"{ident}/after")
        one.right, one.tries, one.given_up = right, int(right), not right
    her = opened("gpt", end, study)
    assert promise in her.said
    assert [one["share"] for one in her.blocks("share")] == [float(right)]
    assert able in her.said.partition(promise)[2]
    for ident in found.probe:  # what its question speaks of can be read beside it
        asks = found.asking(ident)
        (beside,) = (one for one in her.blocks("fold") if asks.title in one["title"])
        assert text_of(beside["blocks"][0]["words"]).split()[:2] == asks.before.split()[:2]


def test_the_probe_at_the_end_speaks_of_no_hints():
    said = {}
    for hints in (True, False):
        said[hints] = plain(feedback(object(), QuestionRecord(tries=1), hints=hints))
    assert "hint" in said[True]
    assert "hint" not in said[False]


def test_the_probe_before_notes_an_answer_and_says_nothing_of_it():
    her = opened("attention", 0)
    assert len(her.questions) == len(the_lesson("attention").probe)
    her.does("give", 0)
    (said,) = her.questions[0]["marked"]["says"]
    assert said[0] == "Noted."
    assert not {"answer", "solution"} & her.questions[0].keys()


def test_the_last_test_begins_at_its_first_open_question_and_stays_the_same():
    her = opened(last_test.NAME)
    assert her.state["lesson_at"] == "0"
    keys = [put.back.key for put in last_test.last_test(her.kept(), "en")]
    assert len(keys) == 30
    for at in range(4):
        her.set(lesson_at=at)
        assert her.question["id"] == keys[at][1]
        her.does("give")
        assert [put.back.key for put in last_test.last_test(her.kept(), "en")] == keys
    again = opened(last_test.NAME, study=her.kept())
    assert again.state["lesson_at"] == "4"


def test_a_question_of_the_last_test_has_one_try_and_then_its_solution():
    her = opened(last_test.NAME, 0)
    assert her.screen["title"] == "Question 1 of 30"
    header = her.question
    assert (header["done"], header["more_hints"]) == (False, False)
    assert not {"answer", "solution"} & header.keys()
    her.does("give")
    assert her.question["done"]
    assert her.question["solution"]


def test_the_last_test_ends_with_a_score_by_lesson():
    her = opened(last_test.NAME, 30)
    assert "30 questions are still open." in her.said
    (header,) = her.figures("result")
    assert not any(row["again"] for row in header["rows"])
    study = her.kept()
    puts = last_test.last_test(study, "en")
    for put in puts:
        answered = study.of(*put.back.key)
        answered.tries, answered.right = 1, put.owner.id != "masks"
    her = opened(last_test.NAME, 30, study)
    (header,) = her.figures("result")
    n = sum(put.owner.id == "masks" for put in puts)
    assert header["said"] == f"Right answers: {30 - n} of 30"
    (own,) = (row for row in header["rows"] if row["lesson"] == the_lesson("masks").title)
    assert (own["right"], len(own["again"])) == (f"0 of {n}", n)
    assert all(not row["again"] for row in header["rows"] if row != own)
    her.press("test-again")
    assert her.screen["title"] == "Question 1 of 30"
    assert not her.question["done"]
    assert {put.back.key[1] for put in last_test.last_test(her.kept(), "en")}.isdisjoint(
        put.back.key[1] for put in puts
    )


def test_what_was_answered_on_another_sentence_opens_nothing():
    her = opened("attention", 3).does("give")
    assert her.question["done"]
    assert her.figures("way")  # the figure is open
    her.set(text="My sister loves music")
    assert not her.question["done"]
    assert not her.figures("way")
