"""A T5 whose tokenizer has no mark for what is hidden, on one shelf with a BART."""

from __future__ import annotations

import pytest

from core import views, zoo
from core.checkpoints import native
from core.errors import AbilityError
from core.runs.store import Runs
from core.text.marks import END, START
from core.text.trained import train_joint_bpe
from tests.conftest import TEXTS, tiny_t5
from tests.views.records import shown

SPANS = ("fill_spans", "damaged", "denoise")
VIEWS = [view for view in views.all_views().values() if view.needs.ability in SPANS]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory, mender) -> Runs:
    """Both, saved and loaded again: "t5" and "bart"."""
    root = tmp_path_factory.mktemp("shelf")
    reads = train_joint_bpe(TEXTS, 300)
    ends = {"start_id": reads.id_of(START), "end_id": reads.id_of(END)}
    made = tiny_t5(vocab_size=reads.vocab_size, n_ctx=64, **ends)
    native.save(root / "t5", "t5", made, zoo.Encoders(reads))
    native.save(root / "bart", "bart", mender.model, mender.encoders)
    assert zoo.abilities("t5", root) == {"translate"}
    return Runs(load=lambda name, _device: zoo.load(name, "cpu", root))


@pytest.mark.parametrize("view", VIEWS, ids=[view.name for view in VIEWS])
def test_a_view_of_spans_says_that_it_cannot_and_works_for_the_other(shelf, view):
    model = shelf.model("t5")
    with pytest.raises(AbilityError, match=r"fill in|mend"):
        view.needs.check("t5", model.abilities, model.blueprint)
    bart = shelf.model("bart")
    if view.needs.unmet(bart.abilities, bart.blueprint) is None:
        assert shown(shelf, view.name, model="bart")


def test_it_translates(shelf):
    for name in ("translate.target", "translate.chain"):
        view, record = shown(shelf, name, model="t5", text="The cat sat.")
        assert view.show(record).payload().pack()
