"""What the pages begin with is worked out before anybody opens them.

A first opening may take a second or two: models are loaded into the second process, and its
kernels run for the first time. Between the start of a server and the second page of whoever
started it are some seconds in which nothing is asked for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator

from core import views
from core.answers.names import PageNames
from core.answers.partners import with_partners
from core.answers.typed import as_read
from core.errors import CoreError
from core.models.needs import Needs
from core.runs.request import Request
from core.shelf.abilities import can, model_for
from core.views.given import readable
from core.views.params import at_rest, parse
from core.views.parts import fitting
from pages.parts.runs import shared_runs
from pages.parts.table import TABLE, PageRow, example
from pages.parts.visiting import places

log = logging.getLogger(__name__)
BEGIN = 2.0  # seconds after the start
BESIDE = 9  # times as long as one has taken is rested, while somebody is there
READS = Needs(parts=("tokens",))


def openings() -> Iterator[Request]:
    """What each page asks for first, on its example, in the order of the menu; no job.

    What comes into sight further down is left: with all of it the processes took 360 MB more.
    """
    seen: set[Request] = set()
    for row in TABLE:
        for name in row.views[:1]:
            try:
                requests = asked_at_first(row, name)
            except CoreError:  # no model of the shelf has what the view needs
                continue
            fresh = [it for it in requests if it.lasts != "long" and it not in seen]
            seen.update(fresh)
            yield from fresh


def asked_at_first(row: PageRow, name: str) -> tuple[Request, ...]:
    """What a view of a page asks for when the page is opened on its example.

    Raises:
        CoreError: no model of the shelf has what it needs.
    """
    view, opens = views.get(name), row.opens
    model = model_for(opens.get("model") or PageNames().model, row.needs)
    text = example(row, model)
    text_given = {"text": text} if text else {}
    params, _problems = parse(view.Params, {**opens, **text_given, "model": model})
    loaded = shared_runs().model(model)
    params = readable(fitting(with_partners(params, model), loaded.blueprint), loaded.encoders)
    text = getattr(params, "text", "")  # how it is read stands below the title
    read = (as_read(model, text),) if text and can(model, READS) else ()
    return *read, *view.requests(at_rest(params))


async def work_out() -> None:
    """Work it out, one after the other, with as long a rest after each as it has taken.

    While somebody has a page run, a tenth of the time has to do.
    """
    await asyncio.sleep(BEGIN)
    for request in await asyncio.to_thread(lambda: list(openings())):
        began = time.monotonic()
        try:
            await asyncio.to_thread(shared_runs().get, request)
        except CoreError:
            pass  # it is said where it is asked for
        except Exception:
            log.exception("what a page begins with could not be worked out")
        took = time.monotonic() - began
        await asyncio.sleep(took if places.free else BESIDE * took)
