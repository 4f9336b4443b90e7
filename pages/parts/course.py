"""What a lesson says to those who go along with a course."""

from __future__ import annotations

import html

import streamlit as st

from core.figures.text import harmless
from core.language import _, language
from core.lessons import Lesson
from core.lessons.courses import called, teachers_notes
from pages.parts import state
from pages.parts.names import Learning


def of_the_course(found: Lesson) -> None:
    """Where the chosen course says it, and what its slides may say otherwise."""
    course = state.read(Learning).path
    sections = [one.section for one in found.sources if one.document == course]
    if sections:
        said = _("In {course}: {list}").format(course=called(course), list=" · ".join(sections))
        st.html(f"<p class='glass-source'>{html.escape(said)}</p>")
    notes = teachers_notes(course, found.id, language())
    if notes:
        with st.expander(_("Notes for teachers"), key="teachers-notes"):
            st.markdown("\n".join(f"- {harmless(one)}" for one in notes))
