"""Views of order with their records, on the tiny machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core import views
from core.runs.store import Runs
from core.views import View

TEXT = "The cat told the dog a story."


@pytest.fixture
def record_of(runs: Runs) -> Callable[..., tuple[View[Any, Any], Any]]:
    """A view of order and its record, for values of a link."""

    def record(name: str, **values: Any) -> tuple[View[Any, Any], Any]:
        view = views.get(name)
        own = {"text": TEXT} | values  # of which each view reads a part
        known = own.keys() & view.Params.__dataclass_fields__
        params = view.Params(**{name: own[name] for name in known})
        return view, view.compute([runs.get(one) for one in view.requests(params)], params)

    return record
