// The page's state, which nobody sees: it is the first component on the page, and begins what the others
// read.

import { define } from "../shared/component.js";
import { keepDetails } from "../shared/details.js";
import { el } from "../shared/dom.js";
import { SHARED } from "../shared/selection.js";
import { live } from "../shared/state.js";
import { onConnection, placeOf } from "../shared/streamlit.js";
import { REDUCED_MOTION } from "../shared/time.js";
import style from "./link.css.js";

const FOLLOWED = 4000; // ms after a page was opened in which the figure that it was opened for is kept in sight
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"]; // what a learner moves on with

// A figure that a lesson leads to may lie further down: it is brought into sight, and kept there while what
// stands above it is still drawn, unless the learner moves on.
function goTo(key) {
  const until = Date.now() + FOLLOWED;
  let left = false;
  const leave = () => { left = true; };
  for (const moves of MOVES) globalThis.addEventListener(moves, leave, { once: true, passive: true });
  let at = NaN;
  (function look() {
    if (left || Date.now() >= until) {
      for (const moves of MOVES) globalThis.removeEventListener(moves, leave);
      return;
    }
    const place = placeOf(key);
    const top = place?.getBoundingClientRect().top;
    // Only where it would not be noticed, above or too far down.
    if (place && top !== at && !(top >= 0 && top < innerHeight * 0.75)) {
      place.scrollIntoView({ behavior: REDUCED_MOTION ? "auto" : "smooth", block: "start" });
    }
    at = top ?? NaN;
    setTimeout(look, 150);
  })();
}

export default define(style, (env) => {
  const lost = el("p", { class: "lost", role: "alert", popover: "manual" });
  env.host.append(lost);
  const shadow = /** @type {ShadowRoot} */ (env.host.getRootNode());
  const forget = onConnection((on) => {
    shadow.host.classList.toggle("lost", !on);
    lost.textContent = on ? "" : SHARED.lost;
    if (lost.isConnected) lost.togglePopover(!on);
  });
  const leaveDetails = keepDetails();

  return {
    update(page) {
      // Of a page that was left meanwhile nothing is wanted any more.
      if (location.pathname.slice(location.pathname.lastIndexOf("/") + 1) !== page.address) return;
      if (live(page) && page.values.back_from) goTo(page.values.back_from);
    },
    destroy() {
      forget();
      leaveDetails();
    },
  };
});
