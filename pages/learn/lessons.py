"""The lessons: the list of all, and the one that is open, a screen at a time."""

from core.figures.payload import Payload
from core.language import _, language
from core.lessons.player import labels_of_progress
from core.lessons.study import LONGEST
from pages.parts.components import mount
from pages.parts.figure import mode
from pages.parts.names import says_where, selectable
from pages.parts.prefix import prefix
from pages.server.lesson_files import FILES

mount("lesson", Payload({
    "path": f"{prefix()}{FILES}/screen",
    "speaks": language(),
    "mode": mode(),
    "looks": sorted(filter(says_where, selectable())),
    "labels": {"lost": _("No answer. What is shown stays, and it is asked again.")},
    "progress": {"longest": LONGEST, "labels": labels_of_progress(), "sown": None},
}), key="lesson")  # fmt: skip
