"""The result of the last test: shown, and kept in a file that says whose it is and of when."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from core.figures.payload import Payload

NASTY = "Ada <b>& co</b>"
GIVEN: dict[str, Any] = {
    "title": "Last test", "language": "fr", "said": "2 of 3 right",
    "rows": [{"lesson": "Masks <i>", "right": "0 of 1", "again": ["Who may look?"]},
             {"lesson": "GPT", "right": "2 of 2", "again": []}],
    "labels": {"name": "My name", "lesson": "Lesson", "right": "Right", "again": "Again",
               "save": "Save my result"},
}  # fmt: skip


def test_a_result_is_kept_in_a_page_of_its_own(bare, from_disk, tmp_path):
    bare.show("result", Payload(GIVEN))
    shown = bare.page.locator("#result")
    expect(shown.get_by_role("row")).to_have_count(3)
    shown.get_by_role("textbox", name="My name").fill(NASTY)
    with bare.page.expect_download() as download:
        shown.get_by_role("button", name="Save my result").click()
    assert re.fullmatch(
        r"glassformer-test-\d{4}-\d\d-\d\d\.html", download.value.suggested_filename
    )
    path = tmp_path / "result.html"
    download.value.save_as(path)
    page = from_disk(path.read_text(encoding="utf-8"))
    expect(page.get_by_role("heading", name="Last test")).to_be_visible()
    expect(page.locator("p").first).to_have_text(re.compile(rf"^{re.escape(NASTY)} · \d{{4}}-"))
    expect(page.get_by_role("row", name="Masks <i> 0 of 1")).to_contain_text("Who may look?")
    assert page.locator("html").get_attribute("lang") == "fr"
