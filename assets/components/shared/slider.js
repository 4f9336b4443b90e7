// A slider that a finger passes over.

const SOON = 500; // ms, in which a browser says that the slider has changed

/**
 * A wipe that begins on a slider and scrolls the page sets nothing: a browser moves the slider to the
 * finger first, and only then finds out that it scrolls.
 * @param {HTMLInputElement} slider
 * @returns {HTMLInputElement} the same
 */
export function unmovedByScrolling(slider) {
  let before = "";
  let scrolled = false;
  slider.style.touchAction = "pan-y";
  slider.addEventListener("pointerdown", () => { before = slider.value; });
  slider.addEventListener("pointercancel", () => {
    if (slider.value === before) return;
    scrolled = true;
    setTimeout(() => { scrolled = false; }, SOON);
    slider.value = before;
    slider.dispatchEvent(new Event("input"));
  });
  slider.addEventListener("change", (event) => {
    if (scrolled) event.stopImmediatePropagation();
  }, { capture: true });
  return slider;
}
