"""What the first minute costs a browser: frames, the first picture, and going into a layer.

    python -m tests.benchmarks.flow [--checkout DIR] [--models gpt,bert]

A frame is what a script does and draws between two of the screen's; the server is idle then. The
first picture stands when something has been drawn on a canvas of the document or of the page,
beside the first element of an empty app.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from core.data.examples import FRENCH
from tests.benchmarks.in_browser import chromium, settled
from tests.benchmarks.race import Goal
from tests.benchmarks.serving import HERE, ROOT, both

MODELS = {
    "gpt": "", "bert": "", "transformer": FRENCH, "t5": "", "rnn_attention": FRENCH, "elmo": "",
    "vit": "",
}  # fmt: skip
FRAME, ZOOM, FIRST = 8.0, 100.0, 1.5  # ms, ms, times an empty app's
ROUNDS = 5
# Every callback of a frame is timed; what it is charged with is what runs before the next one.
FRAMES = """() => {
  const own = globalThis.requestAnimationFrame.bind(globalThis);
  const spent = (globalThis.glassFrames = []);
  globalThis.requestAnimationFrame = (draw) => own((now) => {
    const began = performance.now();
    draw(now);
    spent.push(performance.now() - began);
  });
}"""
# When the first pixel was drawn on a canvas of ours.
FIRST_PICTURE = """() => {
  const look = () => {
    const places = document.querySelectorAll('#glass-first .picture, .st-key-flow *');
    const found = [...places].map((one) => one.shadowRoot)
      .filter(Boolean).flatMap((root) => [...root.querySelectorAll('canvas')])[0];
    if (!found || found.width < 2) return requestAnimationFrame(look);
    const { data } = found.getContext('2d').getImageData(0, 0, found.width, found.height);
    if (!data.some(Boolean)) return requestAnimationFrame(look);
    globalThis.glassFirst = performance.now();
  };
  document.addEventListener('DOMContentLoaded', look);
}"""
LAYER = ".st-key-flow .layer[aria-expanded]"
BYTES = """() => {
  const Own = globalThis.WebSocket;
  globalThis.glassBytes = 0;
  globalThis.WebSocket = class extends Own {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        globalThis.glassBytes += data.size ?? data.byteLength ?? data.length;
      });
    }
  };
}"""


def results(checkout: Path = ROOT, models: Sequence[str] = tuple(MODELS)) -> Iterator[Goal]:
    """Tell each machine's run once, and go into a layer of it."""
    with both(checkout) as (app, empty), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        first = [_first(browser, f"{app.address}/", FIRST_PICTURE) for _ in range(ROUNDS)]
        theirs = [_first(browser, f"{empty.address}/?said=1", _EMPTY) for _ in range(ROUNDS)]
        ratio = statistics.median(first) / statistics.median(theirs)
        said = f"{statistics.median(first):.0f} ms, {statistics.median(theirs):.0f} ms"
        yield Goal(
            f"home: first picture, beside an empty app's element ({said})", ratio, FIRST, "x"
        )
        for model in models:
            yield from _model(browser, app.address, model)
        browser.close()


_EMPTY = """() => {
  const look = () => {
    if (!document.querySelector('input[type="range"], [data-testid="stSlider"]')) {
      return requestAnimationFrame(look);
    }
    globalThis.glassFirst = performance.now();
  };
  document.addEventListener('DOMContentLoaded', look);
}"""


def _first(browser: Browser, address: str, watch: str) -> float:
    """Milliseconds from opening to the first picture, in a browser that has the app's code."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    page.wait_for_timeout(2500)
    page.add_init_script(f"({watch})()")
    page.goto(address)
    found = page.wait_for_function("() => globalThis.glassFirst", polling=20).json_value()
    context.close()
    return float(found)


def _model(browser: Browser, address: str, model: str) -> Iterator[Goal]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(path=HERE / "drawn.js")
    page = context.new_page()
    for script in (FRAMES, BYTES):
        page.add_init_script(f"({script})()")
    page.goto(f"{address}/?model={model}&text={MODELS[model]}".removesuffix("&text="))
    told = page.locator(".st-key-flow [data-told]")
    told.wait_for(state="attached", timeout=180_000)  # she reads for a minute
    spent = sorted(page.evaluate("() => globalThis.glassFrames"))
    p95 = spent[int(0.95 * (len(spent) - 1))]
    yield Goal(f"{model}: a frame, 95 of 100 ({len(spent)} frames, median "
               f"{statistics.median(spent):.1f})", p95, FRAME, "ms")  # fmt: skip
    settled(page)
    zoom = _zoom(page)
    if zoom is not None:
        yield Goal(f"{model}: into a layer ({zoom['bytes']} bytes come, all is still after "
                   f"{zoom['still']:.0f} ms)", zoom["began"], ZOOM, "ms")  # fmt: skip
    context.close()


def _zoom(page: Page) -> dict[str, Any] | None:
    """Go into the last layer: when its picture begins to move, and what comes from the server."""
    layers = page.locator(LAYER)
    if not layers.count():
        return None
    before = page.evaluate("() => globalThis.glassBytes")
    found: dict[str, Any] = layers.last.evaluate("""(one) => new Promise((done) => {
      const canvas = one.closest('.sheet').querySelector('canvas');
      const was = canvas.toDataURL();
      const began = performance.now();
      one.click();
      const look = () => (canvas.toDataURL() === was ? requestAnimationFrame(look)
        : done({ began: performance.now() - began, at: began }));
      requestAnimationFrame(look);
    })""")
    settled(page)
    after = page.evaluate("() => globalThis.glassBytes")
    still = page.evaluate("() => performance.now()") - found["at"] - 900  # that it stood still
    return {**found, "bytes": after - before, "still": max(0.0, still)}


def main() -> int:
    """Print each goal."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--checkout", type=Path, default=ROOT)
    arguments.add_argument("--models", default=",".join(MODELS))
    given = arguments.parse_args()
    held = True
    for goal in results(given.checkout.resolve(), given.models.split(",")):
        print(goal, flush=True)
        held &= goal.held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
