"""Views of order: tables as the layers make them, and shuffles as the models take them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from core import zoo
from core.analysis.positions import sinusoidal_cosine, wavelength
from core.figures.payload import unpack
from core.figures.positions import SPAN, STRIDE, Learned, Positional
from core.figures.text import number
from core.figures.view import PlotView, all_views, get
from core.runs import Runs

TEXT = "The cat told the dog a story."
PLOTS = [
    "positions.sinusoidal", "positions.curves", "positions.similarity", "positions.learned",
    "positions.pairs", "positions.beyond",
]  # fmt: skip
ALL = [*PLOTS, "positions.binary", "positions.shuffle"]


@pytest.fixture(scope="module")
def record_of(gpt, bert):
    runs = Runs(load=lambda name, device: {"gpt": gpt, "bert": bert}[name])

    def record(name: str, **values):
        params = Positional(**{"text": TEXT} | values)
        view = get(name)
        return view, view.compute([runs.get(r) for r in view.requests(params)], params)

    return record


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "values",
    [
        {},
        {"d_model": 2, "positions": 2, "pair": 511},
        {"d_model": 17, "positions": SPAN, "apart": True},
        {"kind": "sinusoidal", "model": "bert"},
        {"kind": "rotary", "text": "a"},
        {"kind": "t5", "shuffle_seed": 7, "text": "<b>&'\" 🙂 " * 9},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ALL)
def test_every_view_says_and_draws_something(record_of, name, values, mode):
    view, record = record_of(name, **values)
    said = str(view.describe(record))
    assert said.strip()
    assert not re.search(r"\{\w+\}", said)
    table = view.table(record)
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert len(table.to_csv()) < 300_000
    if isinstance(view, PlotView):
        figure = view.figure(record, mode)
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text or figure.layout.xaxis2.title.text
        assert figure.layout.yaxis.title.text
    else:
        assert unpack(view.payload(record).pack()).header["labels"]
        ElementTree.fromstring(view.svg(record, mode))


def test_it_opens_on_the_papers_table(record_of):
    view, record = record_of("positions.sinusoidal")
    drawn = view.figure(record, "light").data[0].z
    assert drawn.shape == (50, 512)
    for pos, i in ((0, 0), (7, 16), (49, 255)):
        angle = pos / 10000 ** (2 * i / 512)
        assert drawn[pos, 2 * i] == pytest.approx(np.sin(angle), abs=1e-6)
        assert drawn[pos, 2 * i + 1] == pytest.approx(np.cos(angle), abs=1e-6)


def test_sines_and_cosines_can_stand_apart(record_of):
    view, record = record_of("positions.sinusoidal", d_model=6, positions=3, apart=True)
    trace = view.figure(record, "light").data[0]
    assert trace.customdata[0].tolist() == [0, 2, 4, 1, 3, 5]
    assert np.array_equal(trace.z, record.table[:, [0, 2, 4, 1, 3, 5]])
    axis = view.figure(record, "light").layout.xaxis
    assert axis.ticktext == ("0", "2", "4", "1", "3", "5")


def test_no_mark_stands_between_two_of_a_few_components(record_of):
    view, record = record_of("positions.sinusoidal", d_model=4)
    assert view.figure(record, "light").layout.xaxis.tickvals.tolist() == [0, 1, 2, 3]


def test_an_odd_width_counts_as_the_even_one_below(record_of):
    _, record = record_of("positions.sinusoidal", d_model=7)
    assert record.table.shape == (50, 6)


def test_curves_are_columns_of_the_table(record_of):
    view, record = record_of("positions.curves", pair=3, d_model=16)
    sine, cosine = view.figure(record, "light").data
    assert np.allclose(sine.y, record.table[:, 6])
    assert np.allclose(cosine.y, record.table[:, 7])
    assert f"{wavelength(3, 16):.3g}"[:3] in str(view.describe(record))
    assert record.pair_of_last[0].startswith(f"{record.table[-1, 6]:.2f}".replace("-", "−")[:4])


def test_similarity_is_the_inner_product_by_distance(record_of):
    view, record = record_of("positions.similarity", d_model=8, positions=10)
    drawn = view.figure(record, "light").data[0].y
    for distance in range(10):
        products = [
            float(record.table[p].astype(float) @ record.table[p + distance].astype(float))
            for p in range(10 - distance)
        ]
        assert drawn[distance] == pytest.approx(np.mean(products))
    assert drawn[0] == pytest.approx(4)  # every pair of sine and cosine is 1 long


def test_counting_in_binary(record_of):
    view, record = record_of("positions.binary")
    texts = view.payload(record).header["sheets"][0]["texts"]
    assert ["".join(row) for row in texts] == [f"{n:04b}" for n in range(16)]
    assert "15 times" in str(view.describe(record))
    assert "7, 3, 1 times" in str(view.describe(record))


def test_the_learned_table_is_the_models_own(record_of, gpt):
    view, record = record_of("positions.learned")
    assert np.array_equal(
        view.figure(record, "light").data[0].z,
        np.asarray(gpt.weights["embed.positions.weight"], np.float32),
    )


def test_what_the_table_was_before_training_is_said_of_each_model(record_of):
    view, record = record_of("positions.learned", model="gpt")
    assert "Nobody told it what a position is" in str(view.describe(record))
    view, record = record_of("positions.learned", model="bert")
    said = str(view.describe(record))
    assert "Nobody told" not in said
    assert "started as sinusoids" in said
    # A model that nobody trained still has the cosines it started with.
    nearest, far = (number(sinusoidal_cosine(d, 16)) for d in (1, len(record.table) // 2))
    assert f"rows was {nearest} and is {nearest} on" in said
    assert f"it was {far} and is {far}." in said


def test_a_table_that_was_made_longer_shows_its_seam():
    view = get("positions.learned")
    at = np.arange(80)[:, None] / 40 + np.arange(16)
    grown = np.cos(at)
    grown[50:] = np.cos(at[:30] + 2)  # begins anew
    said = str(view.describe(Learned(grown, "gpt", started_as_sinusoids=False)))
    assert "Rows 49 and 50 are neighbours too, but theirs is" in said
    whole = Learned(np.cos(at), "gpt", started_as_sinusoids=False)
    assert whole.seam is None
    assert "seam" not in str(view.describe(whole))
    assert Learned(np.cos(at[:5]), "gpt", started_as_sinusoids=False).seam is None  # all ends


def test_each_way_past_the_trained_length(record_of):
    at = list(range(0, SPAN, STRIDE))
    view, record = record_of("positions.pairs", kind="learned")  # the tiny model has 32 rows
    drawn = view.figure(record, "light").data[0].z
    inside = len([p for p in at if p < 32])
    assert np.isnan(drawn[inside:, :]).all()
    assert not np.isnan(drawn[:inside, :inside]).any()
    assert "32 rows" in str(view.describe(record))
    for kind in ("sinusoidal", "rotary"):
        view, record = record_of("positions.pairs", kind=kind)
        drawn = view.figure(record, "light").data[0].z
        # Only the distance counts, far past the end as well.
        for offset in (0, 3, 40):
            diagonal = np.diagonal(drawn, offset)
            assert np.ptp(diagonal) < 1e-5
        said = str(view.describe(record))
        assert "trained on 32 positions has never met" in said
    assert "two equal vectors (64 ones)" in said
    view, record = record_of("positions.pairs", kind="t5")
    drawn = view.figure(record, "light").data[0]
    assert drawn.customdata[-1, 0] == 15  # key far before the query: the last bucket of that side
    assert drawn.customdata[0, -1] == 31
    assert drawn.customdata[0, 1] == 16 + STRIDE  # so many places after it
    assert np.array_equal(drawn.z, drawn.z.T)  # the colour is how far, on either side
    assert (np.diff(drawn.z[0]) >= 0).all()
    assert "have buckets 0 to 15, those after it 17 to 31" in str(view.describe(record))
    assert record.last_bucket_from() == 91  # 8 · 16^(7/8), rounded up
    assert record.bucket(0) == 0
    assert record.bucket(7) == 7
    assert record.bucket(500) == record.bucket(91) != record.bucket(90)
    assert record.bucket(-1) == 17  # 16 would be distance 0, which counts as before
    assert record.bucket(-500) == record.bucket(-91) != record.bucket(-90)


def test_curves_by_distance_end_where_the_table_ends(record_of):
    view, record = record_of("positions.beyond")
    learned, sinusoidal, rotary, buckets = view.figure(record, "light").data
    assert len(learned.y) == 32
    assert len(sinusoidal.y) == len(rotary.y) == len(buckets.y) == SPAN
    assert sinusoidal.y[0] == rotary.y[0] == pytest.approx(1)
    # mean of cos(distance · 10000^(-2i / 64)) over the 32 pairs
    expected = np.mean([np.cos(5 * 10000 ** (-2 * i / 64)) for i in range(32)])
    assert rotary.y[5] == pytest.approx(expected, abs=1e-5)
    said = str(view.describe(record))
    assert "trained on 32 positions has never met what comes then" in said
    assert "from 91 on into one bucket: 15 for keys before the query, 31 for keys after" in said


def test_what_is_pointed_at_in_a_table_stays_there(record_of):
    """Its rows and columns are nobody else's: not the units of a network, not another's rows."""
    for name in ("positions.binary", "positions.shuffle"):
        view, record = record_of(name)
        (sheet,) = view.payload(record).header["sheets"]
        fields = {sheet["rows"]["field"], sheet["cols"]["field"]}
        others = {
            field
            for other in all_views().values()
            if other.Params is not Positional
            for field in other.Params.__dataclass_fields__
        }
        assert not fields & (others - {"token"}), name


@pytest.mark.parametrize(("model", "rows"), [("bert", 2), ("gpt", 3)])
def test_a_shuffle_tells_only_what_can_see_order(record_of, model, rows):
    view, record = record_of("positions.shuffle", model=model, shuffle_seed=1)
    assert record.change.shape == (rows, len(record.tokens))
    assert record.keeps == [True] + [False] * (rows - 1)
    assert record.change[0].max() < 1e-5
    assert (record.change[1:].max(axis=1) > 1e-3).all()
    assert "rounding" in str(view.describe(record))
    assert view.shuffled_text(record) in str(view.describe(record))
    # The first mark sees nothing before it, so under a causal mask it cannot move.
    if model == "gpt":
        assert record.change[1:, 0] == pytest.approx([0, 0])


def test_a_single_token_cannot_be_shuffled(record_of):
    view, record = record_of("positions.shuffle", text="a")
    assert record.same_order
    assert "leaves every token in its place" in str(view.describe(record))


def test_the_ways_are_compared_past_what_the_shipped_model_was_trained_on():
    assert zoo.load("gpt", "cpu").config.n_ctx < SPAN
