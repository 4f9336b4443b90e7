"""What a whole run samples: of a table of cases some diagonals, the rest by ``make test-all``.

Of a table one case in so many is taken; where it has as many columns as that, each row and each
column is in the sample. Of what takes longest and is no table, shorter tests hold the parts, and
``make test-all`` plays the whole. A page, a view, a toy or a lesson that fails altogether fails
here by one test or another. On two cores everything takes an hour.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

# One case in so many, by file and test.
ONE_IN: Mapping[str, int] = {
    "app/test_clicks.py::test_a_part_that_is_lost_on_its_way_leaves_no_hole": 5,
    "app/test_clicks.py::test_a_selection_sends_little_and_no_code": 5,
    "app/test_clicks.py::test_every_control_and_every_experiment_draws_all_that_it_changes": 9,
    "app/test_clicks.py::test_what_a_click_draws_and_what_it_leaves_are_the_whole_page": 14,
    "app/test_controls.py::test_a_control_has_the_range_of_its_parameter": 14,
    "app/test_controls.py::test_a_control_says_what_it_is": 7,
    "app/test_controls.py::"
    "test_a_link_beyond_the_range_is_said_and_the_control_shows_what_is_used": 3,
    "app/test_covered.py::"
    "test_before_the_answer_a_page_sends_nothing_that_other_weights_would_change": 2,
    "app/test_document.py::test_the_first_picture_is_the_one_that_the_page_shows": 4,
    "app/test_few_heads.py::test_a_page_for_every_model_shows_a_bare_encoder": 2,
    "app/test_few_heads.py::test_a_page_that_needs_words_says_that_another_is_shown": 4,
    "app/test_files.py::test_a_number_of_5000_digits_is_no_surprise_in_any_field": 24,
    "app/test_from_rnn.py::test_a_step_shows_what_is_new_there": 2,
    "app/test_home.py::test_every_machine_has_its_question_and_its_towers": 3,
    "app/test_lessons.py::test_every_screen_of_a_lesson_opens": 10,
    "app/test_links.py::test_a_link_opens_what_it_meant": 13,
    "app/test_onward.py::test_every_figure_of_a_lesson_is_the_same_on_its_page": 10,
    "app/test_pages.py::test_nothing_is_said_of_a_text_that_is_read_as_it_is": 2,
    "app/test_pages.py::test_opens_on_a_finished_example": 3,
    "app/test_pages.py::test_opens_with_every_model": 6,
    "app/test_pages.py::test_survives_a_damaged_link": 4,
    "app/test_pages.py::test_takes_any_text": 18,
    "app/test_pages.py::test_the_letters_of_the_shapes_are_said": 3,
    "app/test_pages.py::test_what_a_tokenizer_changes_is_said_on_every_page": 2,
    "app/test_reruns.py::test_nothing_is_read_outside_of_the_parts_but_the_machine": 5,
    "app/test_state.py::test_what_a_link_leaves_out_is_what_the_page_says_it_leaves_out": 3,
    "app/test_strangers.py::test_what_a_link_says_is_text_on_every_page": 5,
    "app/test_toys.py::test_a_page_shows_it_or_says_why_not": 20,
    "browser/components/test_plot.py::test_every_series_says_what_plotly_says": 4,
    "browser/components/test_views.py::test_a_view_draws_and_answers": 24,
    "browser/test_book.py::test_anybody_can_use_it": 2,
    "browser/test_flow.py::test_a_layer_and_a_head_are_gone_into_and_left_by_keyboard": 2,
    "browser/test_flow.py::test_the_inside_of_every_kind_of_place_is_drawn_from_its_link": 4,
    "browser/test_lecture.py::test_the_figure_and_its_reading_fit_and_can_be_read": 2,
    "browser/test_moving.py::test_a_click_counts_once_wherever_the_connection_breaks": 2,
    "browser/test_moving.py::test_back_soon_after_the_menu_never_leaves_a_white_page": 4,
    "browser/test_pages.py::test_draws_for_all_and_never_runs_what_is_typed": 20,
    "browser/test_pages.py::test_the_main_figure_begins_high_on_the_screen": 5,
    "browser/test_picking.py::test_picks_can_be_used_and_seen_by_everybody": 2,
    "browser/test_progress.py::test_a_file_of_something_else_is_refused": 4,
    "browser/test_tour.py::test_on_a_phone_picture_and_click_are_reached_without_sideways": 2,
    "browser/test_tour.py::test_on_a_wide_screen_picture_and_click_are_seen_together": 4,
    "browser/test_vision.py::test_the_prediction_follows_the_pen": 2,
    "experiments/test_experiments.py::test_it_moves_what_it_promises": 3,
    "javascript/test_book.py::test_in_every_state_the_question_is_given_what_the_app_gives_it": 2,
    "lessons/book/test_outcomes.py::test_every_answer_is_looked_up_as_it_is_marked": 10,
    "lessons/test_covering.py::test_other_data_leave_every_byte_as_it_was": 20,
    "lessons/test_doing.py::test_what_is_amiss_with_a_goal_is_found": 2,
    "lessons/test_files.py::test_a_lesson_is_as_it_should_be": 20,
    "lessons/test_files.py::test_a_lesson_states_facts_and_they_are_checked": 10,
    "lessons/test_files.py::test_what_is_covered_says_nothing_of_the_answer": 3,
    "lessons/test_operands.py::"
    "test_the_operands_of_a_question_are_those_of_its_figures_selection": 10,
    "lessons/test_origins.py::test_every_number_of_a_lesson_has_an_origin_that_gives_it": 10,
    "lessons/test_printed.py::test_every_lesson_is_printed_and_its_answers_are_complete": 20,
    "lessons/test_printed.py::test_the_students_pages_are_the_same_for_all_that_is_covered": 10,
    "lessons/test_printed.py::test_what_somebody_typed_is_text": 10,
    "machines/test_deeds.py::test_the_front_door_opens_and_its_file_needs_nothing_else": 3,
    "machines/test_shown.py::test_a_view_is_shown_or_says_what_the_machine_lacks": 3,
    "machines/test_shown.py::"
    "test_a_view_that_is_shown_takes_every_choice_and_the_ends_of_its_ranges": 4,
    "machines/test_taught.py::test_it_learns_and_leaves_its_weights": 2,
    "reading/test_text.py::test_a_long_text_is_cut_to_a_tiny_context_in_a_few_steps": 3,
    "runs/test_beside.py::test_the_answer_is_that_of_this_process": 2,
    "test_another_device.py::test_a_request_gives_the_same": 6,
    "test_sizes.py::test_what_is_said_is_what_is_held": 3,
    "test_voice.py::test_the_hard_words_of_a_page_are_explained_on_it": 4,
    "training/test_command.py::test_a_cards_command_makes_the_weights_again": 2,
    "training/test_command.py::test_a_run_from_the_shelf_goes_on_and_adds_a_row": 2,
    "training/test_command.py::test_evaluating_prints_the_figures_again": 9,
    "training/test_command.py::test_training_leaves_a_measured_model": 18,
    "training/test_command.py::"
    "test_what_units_mean_is_printed_for_models_that_predict_the_next_token": 8,
    "training/test_film.py::test_its_figures_can_be_computed_again_without_the_corpora": 3,
    "training/test_loop.py::test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit": 2,
    "training/test_other_device.py::test_a_run_gives_the_weights_that_it_gives_on_the_cpu": 2,
    "training/test_shipped.py::test_the_card_says_what_these_weights_say": 5,
    "views/masks/test_across.py::test_every_mask_that_makes_sense_is_shown": 2,
    "views/positions/test_positions.py::test_every_view_says_and_draws_something": 4,
    "views/test_selection.py::test_a_selection_changes_no_payload": 14,
    "views/test_signs.py::test_a_view_in_french": 8,
    "views/test_signs.py::test_the_numbers_of_a_table_are_the_same_in_every_language": 4,
    "views/test_views.py::test_a_live_figure_is_one_file_that_asks_nobody": 4,
    "views/test_views.py::test_every_array_and_axis_is_called_in_the_learners_language": 9,
    "views/test_views.py::test_every_choice_draws": 25,
    "views/test_views.py::test_every_view_takes_any_text": 22,
    "views/test_views.py::test_every_view_takes_the_ends_of_its_ranges": 17,
}
# What is long: a journey through several pages, a training to its end, other processes.
LONG = frozenset(
    {
        "app/test_beyond.py::test_a_click_trains_a_copy_and_another_goes_back",
        "app/test_digits.py::test_a_text_is_drawn_and_an_empty_one_too",
        "app/test_fine_tune.py::"
        "test_an_experiment_takes_back_what_another_one_of_the_page_had_changed",
        "app/test_from_rnn.py::test_a_sentence_of_her_own_needs_no_reference",
        "app/test_from_rnn.py::test_it_opens_on_a_long_sentence_and_says_what_every_machine_writes",
        "app/test_hearing.py::test_a_message_that_names_the_page_before_brings_this_one_whole",
        "app/test_lessons.py::test_every_lesson_is_listed",
        "app/test_sentence.py::test_her_sentence_opens_on_every_page_that_can_read_it",
        "browser/test_accessibility.py::"
        "test_a_lecture_and_the_list_of_shortcuts_have_nothing_of_it_either",
        "browser/test_book.py::test_a_lesson_is_played_to_its_end",
        "browser/test_coming_back.py::test_three_selections_three_times_back_then_forward",
        "browser/test_coming_back.py::test_two_tabs_have_a_state_each",
        "browser/test_feedforward.py::test_a_unit_is_selected_and_the_strip_and_the_words_follow",
        "browser/test_feedforward.py::test_another_function_is_drawn",
        "browser/test_film.py::test_one_slider_moves_all_figures",
        "browser/test_flow.py::test_a_picture_flows_and_gives_way_to_another_one",
        "browser/test_flow.py::test_of_a_new_text_the_last_token_is_looked_at",
        "browser/test_french.py::test_a_link_in_french",
        "browser/test_hooks.py::test_every_name_that_is_hooked_into_is_there",
        "browser/test_hunt.py::test_a_bug_is_hunted_and_given_up",
        "browser/test_jobs.py::test_nothing_below_it_moves_when_it_is_over",
        "browser/test_jobs.py::"
        "test_progress_is_seen_while_it_runs_and_nothing_is_asked_for_afterwards",
        "browser/test_layernorm.py::test_a_mistake_is_said_and_mended",
        "browser/test_lesson_lecture.py::test_a_step_is_large_and_whole_before_the_answer",
        "browser/test_lessons.py::test_a_goal_is_reached_with_the_figure_and_kept",
        "browser/test_masked_word.py::test_a_word_is_hidden_whole_and_by_the_keyboard",
        "browser/test_masked_word.py::test_clicks_in_a_row_are_all_kept",
        "browser/test_masked_word.py::test_undo_and_reset_work_on_hidden_words",
        "browser/test_masks.py::test_cells_are_painted_one_by_one_and_in_strokes",
        "browser/test_masks.py::test_the_worked_example_walks_from_scores_to_weights",
        "browser/test_masks.py::test_under_a_batch_the_stage_is_on_the_screen",
        "browser/test_moving.py::test_a_figure_that_was_seen_is_shown_again_on_a_slow_line",
        "browser/test_moving.py::test_quick_clicks_on_next_leave_the_step_that_was_seen_once",
        "browser/test_moving.py::test_what_is_done_while_the_connection_is_gone_is_kept",
        "browser/test_objectives.py::test_a_pair_out_of_one_sentence_says_so",
        "browser/test_objectives.py::test_a_word_is_picked_and_every_model_is_asked_for_it",
        "browser/test_onward.py::"
        "test_a_token_chosen_in_the_figure_is_chosen_on_the_page_and_the_answer_is_kept",
        "browser/test_pages.py::test_an_empty_text_dims_the_last_run_and_nothing_else",
        "browser/test_picking.py::"
        "test_what_is_picked_in_a_figure_costs_no_run_and_stays_beside_the_answer",
        "browser/test_positions.py::test_an_experiment_scrolls_to_what_it_changed",
        "browser/test_positions.py::test_the_figures_are_drawn_and_follow_the_sliders",
        "browser/test_printed.py::test_a_step_answers_from_a_disk",
        "browser/test_printed.py::test_nothing_is_cut_and_all_that_stays_together_fits_a_page",
        "browser/test_printed.py::test_plots_and_the_map_are_drawn_from_a_disk",
        "browser/test_progress.py::"
        "test_a_file_that_is_partly_damaged_says_so_and_gives_what_it_can",
        "browser/test_progress.py::test_progress_stays_and_can_be_saved_wiped_and_loaded",
        "browser/test_progress.py::test_what_is_answered_in_one_tab_counts_in_the_other",
        "browser/test_state.py::test_a_lecture_turns_the_sections_of_a_page",
        "browser/test_state.py::test_a_link_to_the_heads_opens_the_same_view",
        "browser/test_state.py::test_a_long_text_is_packed_into_the_link_and_comes_back",
        "browser/test_state.py::test_an_experiment_holds_on_a_phone",
        "browser/test_state.py::test_back_to_a_link_that_says_nothing_brings_back_the_defaults",
        "browser/test_state.py::test_one_press_of_back_returns_and_one_of_forward_goes_again",
        "browser/test_state.py::test_the_address_names_where_the_text_could_not_go",
        "browser/test_state.py::test_the_back_button_brings_back_each_view",
        "browser/test_state.py::test_the_example_of_a_page_is_not_in_its_address_and_stays_there",
        "browser/test_tokenization.py::test_a_word_is_selected_in_both_strips_and_put_together",
        "browser/test_tour.py::test_a_key_answers_and_goes_on_and_a_reload_keeps_the_place",
        "browser/test_tour.py::test_each_screen_shows_its_own_picture_whatever_was_clicked_before",
        "browser/test_tour.py::test_ten_clicks_are_ten_and_nothing_moves_below_the_picture",
        "browser/test_tour.py::test_the_clicks_are_called_skipped_and_called_back",
        "browser/test_translate.py::test_both_machines_are_on_the_first_screen",
        "browser/test_translate.py::test_nothing_slips_away_from_under_the_pointer",
        "browser/test_translate.py::"
        "test_the_tree_is_walked_by_clicks_and_the_walk_stands_in_the_link",
        "browser/test_vision.py::test_a_head_and_a_patch_are_chosen_by_click",
        "browser/test_vision.py::test_a_link_opens_what_was_drawn",
        "browser/test_what_if.py::"
        "test_a_head_and_a_way_round_are_closed_and_undone_one_by_one_and_together",
        "browser/test_which.py::test_a_cell_is_guessed_and_a_probe_settles_it",
        "browser/test_workers.py::test_page_link_and_text_stay_and_she_goes_on",
        "javascript/test_every_cell.py::test_it_ends_in_the_number_of_the_cell",
        "lessons/test_printed.py::test_there_is_room_for_every_kind_of_answer",
        "lessons/test_printed.py::test_two_versions_can_be_told_apart_and_answers_name_theirs",
        "live_training/test_liking.py::test_points_grow_and_the_penalty_holds_it_back",
        "live_training/test_look_ahead.py::"
        "test_without_a_mask_the_loss_passes_the_floor_and_the_model_knows_nothing",
        "runs/test_beside.py::test_without_the_second_process_the_first_answers",
        "runs/test_jobs.py::test_a_process_does_not_run_what_runs_in_this_one",
        "runs/test_jobs.py::test_a_process_that_does_not_stop_is_ended",
        "test_another_device.py::test_a_trace_with_a_mask_and_an_edit_is_the_same",
        "training/test_digits.py::test_it_is_measured_again",
        "training/test_digits.py::test_it_says_how_it_was_made_and_can_be_made_again",
        "training/test_film.py::test_a_film_says_how_it_was_made_and_what_its_frames_know",
        "training/test_finish.py::test_a_model_that_breaks_a_promise_of_the_pages_is_not_shelved",
        "training/test_loop.py::test_a_run_by_the_clock_falls_in_time_and_its_card_makes_it_again",
        "training/test_shipped.py::test_the_heads_are_measured_on_these_weights",
    }
)


def leave_the_rest(items: Iterable[pytest.Item]) -> None:
    """Mark as slow what is not in the sample."""
    sides: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for item in items:
        name = item.nodeid.removeprefix("tests/").partition("[")[0]
        if name in LONG:
            item.add_marker(pytest.mark.slow)
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
    """What it is given, by the sides of the table: names that go together are one of them."""
    given = dict(item.callspec.params)
    for mark in item.iter_markers("parametrize"):
        names = mark.args[0]
        together = names.replace(" ", "").split(",") if isinstance(names, str) else [*names]
        if len(together) > 1:
            given[",".join(together)] = [given.pop(name) for name in together]
    return given
