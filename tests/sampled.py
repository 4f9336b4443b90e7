"""What a whole run samples: of a table of cases some diagonals, the rest by ``make test-all``.

Where a table has as many columns as one case in so many is taken, each row and each
column is in the sample; of a list it is every second or third. A page, a view, a toy or
a lesson that fails altogether fails here by one test or another. On two cores the tables
in full take minutes of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

# One case in so many, by file and test.
ONE_IN: Mapping[str, int] = {
    "app/test_clicks.py::test_every_control_and_every_experiment_draws_all_that_it_changes": 3,
    "app/test_clicks.py::test_what_a_click_draws_and_what_it_leaves_are_the_whole_page": 3,
    "app/test_clicks.py::test_a_selection_sends_little_and_no_code": 2,
    "app/test_controls.py::test_a_control_has_the_range_of_its_parameter": 2,
    "app/test_few_heads.py::test_a_page_that_needs_words_says_that_another_is_shown": 3,
    "app/test_files.py::test_a_number_of_5000_digits_is_no_surprise_in_any_field": 4,
    "app/test_lessons.py::test_every_screen_of_a_lesson_opens": 4,
    "app/test_links.py::test_a_link_opens_what_it_meant": 3,
    "app/test_onward.py::test_every_figure_of_a_lesson_is_the_same_on_its_page": 10,
    "app/test_pages.py::test_opens_with_every_model": 4,
    "app/test_pages.py::test_takes_any_text": 6,
    "app/test_pages.py::test_the_letters_of_the_shapes_are_said": 2,
    "app/test_pages.py::test_what_a_tokenizer_changes_is_said_on_every_page": 2,
    "app/test_pages.py::test_nothing_is_said_of_a_text_that_is_read_as_it_is": 2,
    "app/test_state.py::test_what_a_link_leaves_out_is_what_the_page_says_it_leaves_out": 3,
    "app/test_strangers.py::test_what_a_link_says_is_text_on_every_page": 2,
    "app/test_toys.py::test_a_page_shows_it_or_says_why_not": 5,
    "browser/components/test_plot.py::test_every_series_says_what_plotly_says": 3,
    "browser/components/test_views.py::test_a_view_draws_and_answers": 3,
    "browser/test_jobs.py::test_nothing_below_it_moves_when_it_is_over": 4,
    "browser/test_pages.py::test_draws_for_all_and_never_runs_what_is_typed": 2,
    "browser/test_pages.py::test_the_main_figure_begins_high_on_the_screen": 3,
    "browser/test_picking.py::test_picks_can_be_used_and_seen_by_everybody": 2,
    "browser/test_printed.py::test_nothing_is_cut_and_all_that_stays_together_fits_a_page": 5,
    "browser/test_state.py::test_one_press_of_back_returns_and_one_of_forward_goes_again": 5,
    "browser/test_state.py::test_an_experiment_holds_on_a_phone": 5,
    "browser/test_vision.py::test_the_prediction_follows_the_pen": 2,
    "browser/test_which.py::test_a_cell_is_guessed_and_a_probe_settles_it": 3,
    "lessons/test_covering.py::test_other_data_leave_every_byte_as_it_was": 2,
    "lessons/test_files.py::test_a_lesson_is_as_it_should_be": 3,
    "lessons/test_operands.py::"
    "test_the_operands_of_a_question_are_those_of_its_figures_selection": 3,
    "lessons/test_origins.py::test_every_number_of_a_lesson_has_an_origin_that_gives_it": 3,
    "lessons/test_printed.py::test_every_lesson_is_printed_and_its_answers_are_complete": 4,
    "lessons/test_printed.py::test_the_students_pages_are_the_same_for_all_that_is_covered": 3,
    "lessons/test_printed.py::test_what_somebody_typed_is_text": 3,
    "training/test_command.py::test_training_leaves_a_measured_model": 3,
    "training/test_command.py::test_evaluating_prints_the_figures_again": 3,
    "training/test_shipped.py::test_the_card_says_what_these_weights_say": 2,
    "views/test_selection.py::test_a_selection_changes_no_payload": 3,
    "views/test_views.py::test_every_choice_draws": 3,
    "views/test_views.py::test_every_view_takes_any_text": 6,
    "views/test_views.py::test_every_view_takes_the_ends_of_its_ranges": 4,
}


def leave_the_rest(items: Iterable[pytest.Item]) -> None:
    """Mark as slow what is not in the sample."""
    sides: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for item in items:
        name = item.nodeid.removeprefix("tests/").partition("[")[0]
        if name not in ONE_IN or not isinstance(item, pytest.Function):
            continue
        place = 0  # the diagonal it stands on: the sum of its places along the sides of the table
        for side, value in _along(item).items():
            known = sides[name, side]
            if value not in known:
                known.append(value)
            place += known.index(value)
        if place % ONE_IN[name]:
            item.add_marker(pytest.mark.slow)


def _along(item: pytest.Function) -> dict[str, Any]:
    """What it is given, by the sides of the table: of names that go together the first."""
    given = dict(item.callspec.params)
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0]
        together = names.replace(" ", "").split(",") if isinstance(names, str) else names
        for further in together[1:]:
            del given[further]
    return given
