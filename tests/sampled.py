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
    "app/test_controls.py::test_a_control_has_the_range_of_its_parameter": 28,
    "app/test_controls.py::"
    "test_a_link_beyond_the_range_is_said_and_the_control_shows_what_is_used": 8,
    "app/test_covered.py::"
    "test_before_its_answer_a_screen_has_what_is_left_of_its_figures_and_nothing_said_after": 20,
    "app/test_covered.py::"
    "test_before_the_answer_a_screen_sends_nothing_that_other_weights_would_change": 14,
    "app/test_document.py::test_the_first_picture_is_the_one_that_the_page_shows": 12,
    "app/test_files.py::test_a_number_of_5000_digits_is_no_surprise_in_any_field": 160,
    "app/test_from_rnn.py::test_a_step_shows_what_is_new_there": 2,
    "app/test_home.py::test_every_machine_has_its_question_and_its_towers": 3,
    "app/test_layernorm.py::test_a_mistake_is_said_and_what_was_typed_is_kept": 2,
    "app/test_lessons.py::test_every_screen_of_a_lesson_opens": 20,
    "app/test_links.py::test_a_link_opens_what_it_meant": 50,
    "app/test_masks.py::test_what_is_not_shown_as_it_was_asked_for_is_said": 3,
    "app/test_next_token.py::test_a_full_context_is_said_and_only_then": 2,
    "answers/test_one_set.py::test_a_figure_has_the_same_numbers_wherever_it_stands": 12,
    "app/test_onward.py::test_every_figure_of_a_lesson_is_the_same_on_its_page": 20,
    "app/test_pages.py::test_nothing_is_said_of_a_text_that_is_read_as_it_is": 6,
    "app/test_pages.py::test_opens_on_a_finished_example_and_each_control_says_what_it_is": 6,
    "app/test_pages.py::test_opens_with_every_model": 17,
    "app/test_pages.py::test_survives_a_damaged_link": 6,
    "app/test_pages.py::test_takes_any_text": 40,
    "app/test_pages.py::test_the_letters_of_the_shapes_are_said": 6,
    "app/test_pages.py::test_what_a_tokenizer_changes_is_said_on_every_page": 9,
    "app/test_sections.py::test_a_lecture_shows_one_section_and_all_of_them_the_page": 10,
    "app/test_sections.py::test_outside_a_lecture_the_section_is_not_in_the_link": 3,
    "app/test_strangers.py::test_no_field_of_a_file_names_another_model": 6,
    "app/test_strangers.py::test_what_a_link_says_is_text_on_every_page": 30,
    "app/test_tour.py::test_each_screen_shows_what_was_told_and_asks_for_one_click": 3,
    "app/test_toys.py::test_a_page_shows_it_or_says_why_not": 40,
    "app/test_translate.py::test_where_nothing_attends_the_page_says_why_no_alignment_is_drawn": 2,
    "app/test_turns.py::test_who_has_no_place_is_told_when_to_come_again": 2,
    "app/test_vision.py::test_hostile_pictures_are_refused_with_a_sentence": 2,
    "browser/components/test_plot.py::test_every_cell_says_what_plotly_says": 2,
    "browser/components/test_plot.py::test_pointing_finds_what_the_keys_find": 2,
    "browser/components/test_plot.py::test_the_live_drawing_is_the_file": 2,
    "browser/components/test_progress.py::"
    "test_a_hostile_file_is_refused_or_repaired_with_a_sentence": 2,
    "browser/components/test_views.py::test_a_view_draws_and_answers": 96,
    "browser/test_first_picture.py::"
    "test_it_stands_before_streamlit_does_and_where_its_own_will_stand": 2,
    "browser/test_flow.py::test_a_layer_and_a_head_are_gone_into_and_left_by_keyboard": 2,
    "browser/test_wall.py::test_every_scene_of_a_page_is_whole_and_can_be_read": 6,
    "browser/test_wall.py::test_a_step_is_whole_before_the_answer_and_after_it": 7,
    "browser/test_wall.py::test_on_a_phone_nothing_is_too_small": 7,
    "browser/test_wall.py::test_on_a_phone_a_step_asks_above_its_fold": 4,
    "browser/test_moving.py::test_back_soon_after_the_menu_never_leaves_a_white_page": 2,
    "browser/test_pages.py::test_draws_for_all_and_never_runs_what_is_typed": 17,
    "browser/test_tour.py::test_on_a_phone_picture_and_click_are_reached_without_sideways": 4,
    "decoding/test_words.py::test_the_search_finds_what_trying_every_word_finds": 2,
    "experiments/test_experiments.py::test_it_moves_what_it_promises": 12,
    "faults/test_table.py::test_every_fault_that_a_machine_can_have_changes_its_answer": 2,
    "javascript/test_book.py::test_an_answer_becomes_what_the_marking_makes_of_it": 4,
    "javascript/test_book.py::test_in_every_state_the_question_is_given_what_the_app_gives_it": 4,
    "javascript/test_numbers.py::test_shares_read_alike_on_both_sides": 2,
    "lessons/book/test_outcomes.py::test_every_answer_is_looked_up_as_it_is_marked": 10,
    "lessons/test_checking.py::test_a_figure_of_what_the_model_does_not_have_is_a_fault": 3,
    "lessons/test_covering.py::test_other_data_leave_every_byte_as_it_was": 15,
    "lessons/test_doing.py::test_what_is_amiss_with_a_goal_is_found": 2,
    "lessons/test_files.py::test_a_lesson_is_as_it_should_be": 40,
    "lessons/test_operands.py::"
    "test_the_operands_of_a_question_are_those_of_its_figures_selection": 40,
    "lessons/test_origins.py::test_every_number_of_a_lesson_has_an_origin_that_gives_it": 20,
    "lessons/test_printed.py::test_a_step_as_a_file_holds_all_of_it": 2,
    "lessons/test_printed.py::test_every_lesson_is_printed_and_its_answers_are_complete": 40,
    "lessons/test_printed.py::test_the_students_pages_are_the_same_for_all_that_is_covered": 20,
    "machines/test_deeds.py::test_the_front_door_opens_and_its_file_needs_nothing_else": 7,
    "machines/test_shown.py::test_a_view_is_shown_or_says_what_the_machine_lacks": 8,
    "machines/test_shown.py::"
    "test_a_view_that_is_shown_takes_every_choice_and_the_ends_of_its_ranges": 10,
    "machines/test_taught.py::test_it_learns_and_leaves_its_weights": 2,
    "machines/test_taught.py::test_its_card_names_its_sizes_and_figures": 4,
    "reading/test_text.py::test_a_long_text_is_cut_to_a_tiny_context_in_a_few_steps": 12,
    "runs/kinds/test_training.py::test_the_share_grows_to_the_whole_with_the_last_record": 2,
    "runs/test_second_process.py::test_the_answer_is_that_of_this_process": 4,
    "test_another_device.py::test_a_request_gives_the_same": 18,
    "data/test_glossary.py::test_no_term_is_explained_by_itself": 2,
    "test_sizes.py::test_what_is_said_is_what_is_held": 6,
    "test_voice.py::test_no_sentence_has_a_retired_word": 8,
    "test_voice.py::test_the_hard_words_of_a_page_are_explained_on_it": 8,
    "text/test_smaller.py::test_every_text_can_be_read_and_comes_back": 4,
    "tracing/test_writing.py::test_a_batch_writes_for_each_row_what_it_would_alone": 2,
    "training/test_command.py::test_evaluating_prints_the_figures_again": 18,
    "training/test_command.py::test_training_leaves_a_measured_model": 18,
    "training/test_command.py::"
    "test_what_units_mean_is_printed_for_models_that_predict_the_next_token": 16,
    "training/test_loop.py::test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit": 6,
    "training/test_loop.py::test_a_run_leaves_a_model_that_loads": 2,
    "training/test_loop.py::test_it_learns": 3,
    "training/test_loop.py::test_what_was_planned_is_done_whatever_the_clock": 2,
    "training/test_other_device.py::test_a_run_gives_the_weights_that_it_gives_on_the_cpu": 4,
    "training/test_shipped.py::test_the_card_says_what_these_weights_say": 5,
    "views/test_film.py::test_a_text_without_words_of_its_own_is_drawn_too": 2,
    "views/masked/test_gap.py::test_the_contract_holds_for_long_words_and_pairs": 4,
    "views/masks/test_run.py::test_every_mask_that_makes_sense_is_shown": 7,
    "views/positions/test_positions.py::test_the_contract_holds_for_few_and_odd_numbers": 4,
    "views/test_few_heads.py::test_a_view_is_drawn_or_says_what_is_missing": 3,
    "views/test_selection.py::test_a_selection_changes_no_payload": 34,
    "views/test_signs.py::test_a_view_in_french": 12,
    "views/test_signs.py::test_the_numbers_of_a_table_are_the_same_in_every_language": 18,
    "views/test_views.py::test_a_live_figure_is_one_file_that_asks_nobody": 11,
    "views/test_views.py::test_every_array_and_axis_is_called_in_the_learners_language": 9,
    "views/test_views.py::test_every_choice_draws": 94,
    "views/test_views.py::test_every_view_takes_any_text": 99,
    "views/test_views.py::test_every_view_takes_the_ends_of_its_ranges": 47,
    "views/test_views.py::test_the_heads_take_whatever_breaks_tokenizers": 2,
    "browser/test_which.py::test_a_cell_is_guessed_and_a_probe_settles_it": 2,
}
# What is long: a journey through several pages, a training to its end, other processes.
LONG = frozenset(
    {
        "app/test_beyond.py::test_a_click_trains_a_copy_and_another_goes_back",
        "app/test_cost.py::test_a_machine_of_ones_own_has_a_form_and_a_bill",
        "app/test_digits.py::test_a_text_is_drawn_and_an_empty_one_too",
        "app/test_few_heads.py::test_who_judges_pairs_is_said_where_the_chosen_one_cannot",
        "app/test_few_heads.py::test_whose_gradients_are_shown_is_said",
        "app/test_from_rnn.py::"
        "test_a_link_brings_a_sentence_without_reference_and_machines_that_do_not_translate",
        "app/test_from_rnn.py::test_it_opens_on_a_long_sentence_and_says_what_every_machine_writes",
        "app/test_home.py::test_the_keys_that_are_listed_are_those_of_the_page",
        "app/test_home.py::test_the_shelf_begins_with_the_model_that_is_asked_for",
        "app/test_home.py::test_the_shelf_says_the_blocks_of_each_tower",
        "app/test_labs.py::test_a_click_trains_the_small_transformer_and_another_takes_it_back",
        "app/test_layernorm.py::test_what_did_not_fit_is_said_though_no_strip_shows_the_text",
        "app/test_lesson_files.py::test_an_own_sentence_goes_with_it_packed_or_not",
        "app/test_lessons.py::test_every_lesson_is_listed",
        "app/test_objectives.py::test_the_dice_and_what_is_looked_at_stand_in_the_link",
        "app/test_onward.py::test_what_is_chosen_in_one_lesson_reaches_no_other",
        "app/test_positions.py::test_what_it_did_not_learn_is_shown_of_a_model_that_did",
        "app/test_positions.py::test_what_the_other_models_context_does_not_hold_is_said",
        "app/test_sentence.py::test_before_she_has_typed_one_no_example_goes_from_page_to_page",
        "app/test_sentence.py::test_what_is_typed_for_a_translator_runs_in_translators_alone",
        "app/test_tokenization.py::test_opens_on_the_lectures_sentence",
        "app/test_turns.py::test_what_nobody_looks_at_is_made_in_another_process",
        "browser/components/test_heads.py::test_lines_of_a_longer_text_stay_on_the_screen",
        "browser/components/test_plot.py::test_every_series_says_what_plotly_says",
        "browser/components/test_plot.py::test_what_a_learner_wrote_stays_words",
        "browser/test_book.py::test_a_figure_can_be_varied_once_the_question_is_answered",
        "browser/test_book.py::test_a_lesson_is_played_to_its_end",
        "browser/test_book.py::test_anybody_can_use_it",
        "browser/test_book.py::test_the_last_test_asks_marks_and_says_what_came_of_it",
        "browser/test_book.py::test_the_start_is_the_list_and_the_ten_clicks_lead_back_to_it",
        "browser/test_book.py::test_what_she_missed_comes_back_once_on_other_numbers",
        "browser/test_first_picture.py::test_the_page_is_seen_whatever_goes_wrong_with_it",
        "browser/test_first_picture.py::"
        "test_who_went_elsewhere_before_it_was_told_is_told_all_of_it",
        "browser/test_flow.py::test_a_picture_flows_and_gives_way_to_another_one",
        "browser/test_flow.py::test_on_a_phone_one_tower_is_seen_at_a_time",
        "browser/test_flow.py::test_the_inside_of_every_kind_of_place_is_drawn_from_its_link",
        "browser/test_french.py::test_the_bar_fits_in_both_languages",
        "browser/test_french.py::test_the_strip_of_two_towers_fits_and_says_of_whom_a_line_is",
        "browser/test_glossary.py::"
        "test_a_link_opens_a_term_and_typing_filters_and_a_click_writes_the_link",
        "browser/test_jobs.py::test_a_learner_pauses_goes_on_and_stops",
        "browser/test_jobs.py::test_nothing_below_it_moves_when_it_is_over",
        "browser/test_jobs.py::"
        "test_progress_is_seen_while_it_runs_and_nothing_is_asked_for_afterwards",
        "browser/test_layernorm.py::test_a_token_of_the_text_has_its_own_numbers",
        "browser/test_lessons.py::test_a_goal_is_reached_with_the_figure_and_kept",
        "browser/test_lessons.py::test_a_lesson_is_played_to_its_end",
        "browser/test_masked_word.py::test_a_word_is_hidden_whole_and_by_the_keyboard",
        "browser/test_masked_word.py::"
        "test_the_last_place_of_the_strip_leads_to_what_the_model_predicts",
        "browser/test_masks.py::test_cells_are_painted_one_by_one_and_in_strokes",
        "browser/test_names.py::test_a_name_is_its_part_as_far_as_it_is_drawn_and_none_throws_out",
        "browser/test_objectives.py::test_a_word_is_picked_and_every_model_is_asked_for_it",
        "browser/test_objectives.py::test_on_a_phone_each_way_has_a_tab_and_all_its_words_in_sight",
        "browser/test_onward.py::"
        "test_a_token_chosen_in_the_figure_is_chosen_on_the_page_and_the_answer_is_kept",
        "browser/test_picking.py::test_a_figure_that_follows_another_marks_what_is_selected_there",
        "browser/test_picking.py::"
        "test_what_is_picked_in_a_figure_costs_no_run_and_stays_beside_the_answer",
        "browser/test_positions.py::test_the_figures_are_drawn_and_follow_the_sliders",
        "browser/test_printed.py::test_a_step_answers_from_a_disk",
        "browser/test_printed.py::test_plots_and_the_map_are_drawn_from_a_disk",
        "browser/test_progress.py::"
        "test_an_own_sentence_is_another_question_and_a_short_one_leaves_the_lessons",
        "browser/test_tokenization.py::test_merges_change_counts_corpus_and_entries_together",
        "browser/test_tokenization.py::test_what_a_tokenizer_changes_is_shown",
        "browser/test_tour.py::test_each_screen_shows_its_own_picture_whatever_was_clicked_before",
        "browser/test_tour.py::test_ten_clicks_are_ten_and_nothing_moves_below_the_picture",
        "browser/test_tour.py::test_the_clicks_are_called_skipped_and_called_back",
        "browser/test_translate.py::test_the_state_of_a_step_is_opened_with_keys_alone",
        "browser/test_translate.py::"
        "test_the_tree_is_walked_by_clicks_and_the_walk_stands_in_the_link",
        "browser/test_what_if.py::"
        "test_a_head_and_a_way_round_are_closed_and_undone_one_by_one_and_together",
        "decoding/test_sampling.py::test_every_filter_gives_a_distribution",
        "javascript/test_every_cell.py::test_it_ends_in_the_number_of_the_cell",
        "lessons/book/test_last_test.py::"
        "test_every_question_but_the_goals_is_there_on_data_that_its_lesson_has_not",
        "lessons/book/test_site.py::test_the_command_writes_it",
        "lessons/test_printed.py::test_there_is_room_for_every_kind_of_answer",
        "lessons/test_printed.py::test_two_versions_can_be_told_apart_and_answers_name_theirs",
        "lessons/test_printed.py::test_what_somebody_typed_is_text",
        "live_training/test_liking.py::test_points_grow_and_the_penalty_holds_it_back",
        "live_training/test_look_ahead.py::"
        "test_without_a_mask_the_loss_passes_the_floor_and_the_model_knows_nothing",
        "live_training/test_practice.py::"
        "test_a_training_tells_what_it_does_and_two_of_a_seed_tell_the_same",
        "runs/test_second_process.py::test_without_the_second_process_the_first_answers",
        "runs/test_jobs.py::test_a_process_does_not_run_what_runs_in_this_one",
        "runs/test_jobs.py::test_a_process_that_dies_is_said_and_the_next_job_has_another",
        "runs/test_jobs.py::test_a_process_that_does_not_stop_is_ended",
        "runs/test_jobs.py::test_it_is_another_process_that_gives_way_to_all_others",
        "runs/test_jobs.py::test_it_takes_spare_time_unless_there_is_none",
        "test_another_device.py::test_a_trace_with_a_mask_and_an_edit_is_the_same",
        "tracing/test_compile.py::test_one_graph",
        "training/test_both_ways.py::test_without_context_senses_are_told_apart_as_by_chance",
        "training/test_command.py::test_a_cards_command_makes_the_weights_again",
        "training/test_command.py::test_a_run_from_the_shelf_goes_on_and_adds_a_row",
        "training/test_command.py::test_a_stopped_run_is_resumed",
        "training/test_command.py::test_an_interrupted_run_leaves_what_it_has",
        "training/test_command.py::test_as_a_program_it_ends_with_that_status",
        "studies/test_digits.py::test_a_picture_comes_with_a_text_of_its_digit_or_with_none",
        "studies/test_digits.py::test_it_is_measured_again",
        "studies/test_digits.py::test_it_says_how_it_was_made_and_can_be_made_again",
        "studies/test_digits.py::test_the_stored_weights_are_a_mean_that_can_be_loaded",
        "studies/test_film.py::test_a_film_says_how_it_was_made_and_what_its_frames_know",
        "studies/test_film.py::test_its_command_makes_the_same_weights",
        "studies/test_film.py::test_its_figures_are_those_of_the_stored_weights",
        "studies/test_film.py::test_its_figures_can_be_computed_again_without_the_corpora",
        "training/test_finish.py::test_a_model_that_breaks_a_promise_of_the_pages_is_not_shelved",
        "training/test_loop.py::test_a_run_by_the_clock_falls_in_time_and_its_card_makes_it_again",
        "training/test_loop.py::test_a_run_by_the_clock_that_was_cut_ends_in_time",
        "training/test_loop.py::test_the_log_is_json_lines",
        "training/test_mixture.py::test_a_place_has_its_row_whatever_was_asked_before",
        "training/test_shipped.py::test_the_heads_are_measured_on_these_weights",
        "views/masks/test_prediction.py::test_learning_without_a_mask_is_drawn_and_said",
        "browser/test_book.py::"
        "test_hints_come_one_by_one_and_another_one_asks_what_a_neighbour_is_asked",
        "browser/test_fine_tune.py::"
        "test_an_experiment_takes_back_what_another_one_of_the_page_had_changed",
        "browser/test_picking.py::"
        "test_two_figures_that_are_compared_stand_side_by_side_and_can_be_picked_in_in_the_dark",
        "browser/test_positions.py::"
        "test_an_experiment_scrolls_to_what_it_changed_unless_something_is_pressed",
        "browser/test_tour.py::test_the_head_is_told_column_by_column",
        "browser/test_vision.py::"
        "test_a_head_and_a_patch_are_chosen_and_an_experiment_leaves_picture_and_bars_level",
        "browser/test_vision.py::test_on_a_phone_each_stroke_is_undone_by_itself",
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
