"""What stands above a page: its title, its claim, and behind "Details" what is second."""

from __future__ import annotations

from core.answers.titles import in_line, title_html


def test_a_title_is_literal_and_its_claim_explains_terms():
    said = title_html("a < b?", "", "A [[logit]] is a score.", ())
    assert "<h1 class='glass-title'>a &lt; b?</h1>" in said
    assert "data-term='logit'" in said
    assert "<details" not in said


def test_what_is_second_folds_away():
    said = title_html("Why?", "3 tokens <", "", ("softmax",))
    assert "<details class='glass-details'>" in said
    assert "3 tokens &lt;" in said
    assert "data-term='softmax'" in said


def test_facts_stand_in_one_line():
    assert in_line(["layer 0", "", "head 1"]) == "Layer 0 · head 1"
