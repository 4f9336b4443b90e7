"""What a model reads through."""

from __future__ import annotations

import pytest

from core.encoders import Encoders, Pictures
from core.errors import ConfigError

SMALL = Encoders(pictures=Pictures(3, 2, mean=0.5, std=0.25))


@pytest.mark.parametrize(
    "wrong", [{"std": 0.0}, {"std": -1.0}, {"width": 0}, {"channels": 2}, {"height": 9999}]
)
def test_an_encoder_that_no_picture_fits_is_refused(wrong):
    with pytest.raises(ConfigError):
        Pictures(**{"width": 2, "height": 2} | wrong)


def test_what_decides_how_a_picture_is_read_is_in_the_fingerprint(byte_bpe):
    each = [Encoders(), SMALL, Encoders(pictures=Pictures(3, 2)), Encoders(byte_bpe),
            Encoders(byte_bpe, SMALL.pictures)]  # fmt: skip
    assert len({one.fingerprint for one in each}) == len(each)
    assert Encoders(byte_bpe).fingerprint == Encoders(byte_bpe).fingerprint
