"""The arithmetic beside every cell of every matrix of every view."""

from __future__ import annotations

import base64
import json

from core import views
from core.figures.components import Matrix
from core.runs.store import Runs
from core.show import figure
from tests.javascript.conftest import HERE, run
from tests.views.records import machines_of


def test_it_ends_in_the_number_of_the_cell(
    gpt, bert, transformer, t5, bart, rnn, elmo, sorter, teller, digits
):
    models = {
        "gpt": gpt, "bert": bert, "transformer": transformer, "t5": t5, "bart": bart, "rnn": rnn,
        "elmo": elmo, "sorter": sorter, "teller": teller, **digits,
    }  # fmt: skip
    runs = Runs(load=lambda name, device: models[name])
    packed = []
    for name, view in views.all_views().items():
        for model in machines_of(view):
            values = {"model": model, "text": "The cat sat on the mat"}
            known = {n: v for n, v in values.items() if n in view.Params.__dataclass_fields__}
            component = figure(name, view.Params(**known), runs).component
            if isinstance(component, Matrix):
                packed.append(base64.b64encode(component.payload().pack()).decode())
    assert len(packed) > 20
    done = run(str(HERE / "every_cell.js"), input="\n".join(packed))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["found"] == []
    assert answer["seen"] > 1000
