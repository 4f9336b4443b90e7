"""What a page about pictures opens on, for models that read pictures of another size."""

from __future__ import annotations

import pytest

from core.encoders import Encoders, Pictures
from core.samples import sample
from core.views.opening import opened
from core.views.params import OnText
from core.views.vision.samples import offers
from core.views.vision.seen import OnPicture


@pytest.mark.parametrize(
    ("reads", "first"),
    [(Pictures(28, 28), "ours-7"), (Pictures(32, 32, 3), "bird")],
)
def test_it_is_the_first_sample_that_the_model_can_read(reads, first):
    found = opened(OnPicture(model="any"), Encoders(pictures=reads))
    assert found == OnPicture(first, "any")
    assert found.given.size == reads.size


def test_it_is_an_empty_sheet_where_no_sample_has_the_size():
    found = opened(OnPicture(), Encoders(pictures=Pictures(5, 7)))
    assert found.given == Pictures(5, 7).blank


def test_what_is_named_stays():
    own = OnPicture(sample("ours-3").picture.as_text())
    assert opened(own, Encoders(pictures=Pictures(32, 32, 3))) is own
    text = OnText(text="a")
    assert opened(text, Encoders()) is text


def test_samples_are_offered_by_their_size():
    assert offers("28x28") == ["ours", "mnist"]
    assert offers("32x32x3") == ["things"]
    assert offers("5x7") == []
