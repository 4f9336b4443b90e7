"""The page about pictures: what is drawn, what a link brings, and what each machine can show."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.data.samples import sample
from core.views.vision.seen import PictureChoice, chosen
from tests.app.answered import Figure, figures
from tests.app.test_pages import as_shown, check, headers, opened
from tests.app.test_state import link

FILE = "predictions/vision.py"
SEVEN, SIX = (sample(name).picture.as_text() for name in ("ours-7", "ours-6"))


def errors(app: AppTest) -> list[str]:
    return [as_shown(one.value) for one in app.error]


def pixels(app: AppTest):
    """What can be drawn on."""
    (own,) = [one for one in drawn(app) if "picture" in one.said["acts"]]
    assert own.answer is not None
    return own.answer.arrays["pixels"]


def drawn(app: AppTest, folder: str = "") -> list[Figure]:
    """The figures of the page, or those of a kind."""
    return [
        one for one in figures(app) if one.spec["drawn"] and one.said["folder"].endswith(folder)
    ]


def titles(app: AppTest, folder: str) -> list[str]:
    return [one.answer.header["title"] for one in drawn(app, folder) if one.answer]


def bars(app: AppTest) -> list[dict]:
    return [one.answer.header for one in drawn(app, "bars") if one.answer]


def best(app: AppTest) -> list[str]:
    """The most likely label, as each model sees it."""
    return [
        next(row["label"] for row in one["frames"][0]["rows"] if row.get("chosen"))
        for one in bars(app)
        if not one.get("series")
    ]


def test_it_opens_on_a_digit_that_both_models_know():
    app = opened(FILE)
    check(app)
    assert errors(app) == []
    assert "picture" not in link(app)
    assert best(app) == ["7", "7"]
    (both,) = [one for one in bars(app) if one.get("series")]
    assert len(both["series"]) == 2
    assert pixels(app).tobytes() == sample("ours-7").picture.pixels
    (bar,) = headers(app, "runbar")
    assert bar["text"] is None  # the page reads none
    # samples, heads, rollout, places, shuffled, feature maps
    assert len(drawn(app, "tiles")) == 6


@pytest.mark.parametrize("model", ["vit", "cnn"])
def test_every_figure_is_there_whichever_model_is_chosen(model):
    app = opened(FILE, model=model)
    check(app)
    (strip,) = headers(app, "map")
    lit = {part["id"] for line in strip["lines"] for part in line["parts"] if part["lit"]}
    assert lit == {"picture", "labels", {"vit": "patches", "cnn": "maps"}[model]}
    assert not [one.refused for one in figures(app) if one.answer is None]
    assert "Feature maps of convolution 0" in titles(app, "tiles")
    assert "Attention over the patches, every layer and head" in titles(app, "tiles")


def test_a_picture_in_the_link_is_looked_at():
    app = opened(FILE, picture=SIX)
    check(app)
    assert best(app) == ["6", "6"]
    assert link(app)["picture"] == SIX
    app = opened(FILE, picture="ours-6-turned")
    assert best(app) == ["9", "9"]


@pytest.mark.parametrize(
    "hostile",
    [
        "28x28:",
        "28x28:AAAA",
        f"28x28:{'A' * 1045}",
        f"28x28:{'=' * 1046}",
        f"28x28:{'A' * 400_000}",
        "27x27:" + "A" * 972,
        "999x999:AAAA",
        "0x0:",
        "28x28x3:" + "A" * 3136,
        "<img src=x onerror=alert(1)>",
        "../../etc/passwd",
        "ours-99",
        "data:image/png;base64,AAAA",
        "\x00",
    ],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)
def test_hostile_pictures_are_refused_with_a_sentence(hostile):
    app = opened(FILE, picture=hostile)
    check(app)
    said = [*errors(app), *(as_shown(one.value) for one in app.warning)]
    assert said
    assert all(len(one) < 300 and "icture" in one for one in said)
    assert best(app) == ["7", "7"]  # a sample in its place, and the page goes on


@pytest.mark.parametrize("unread", ["ours-99", "28x28:AAAA", "27x27:" + "A" * 972])
def test_of_a_picture_that_cannot_be_read_it_is_said_what_happened_and_what_to_do(unread):
    app = opened(FILE, picture=unread)
    assert errors(app) == []
    assert [as_shown(one.value) for one in app.warning] == [
        "ViT cannot read the picture in this link, so a sample is shown. Copy the whole link and "
        "try again, or draw a digit."
    ]


def test_a_click_on_a_sample_takes_it_up():
    (found,) = [one for one in drawn(opened(FILE), "tiles") if "pick" in one.said["acts"]]
    assert found.said["acts"]["pick"]["2"] == {"picture": chosen(PictureChoice())[2].id}
    (of,) = found.controls
    assert [name for name, _label in of["options"]] == ["ours", "mnist"]  # of 28 x 28 pixels
