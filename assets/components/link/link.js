// The page's link, which nobody sees: it is the first component on the page, tells the server what
// was selected, and hears from it what is selected, what can be undone and what has grown old.

import { modeOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { keepDetails } from "../shared/details.js";
import { el } from "../shared/dom.js";
import { turn } from "../shared/keyboard.js";
import { speakThrough } from "../shared/outbox.js";
import { PAGE, SHARED, takeOver } from "../shared/selection.js";
import { live } from "../shared/state.js";
import { onConnection, placeOf } from "../shared/streamlit.js";
import { REDUCED_MOTION } from "../shared/time.js";
import style from "./link.css.js";

const FOLLOWED = 4000; // ms after an experiment in which its figure is kept in sight
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"]; // what a learner moves on with

export default define(style, (env) => {
  let gone = null; // how often the page was asked to go to a figure
  let mode = modeOf(env.host);
  const lost = el("p", { class: "lost", role: "alert", popover: "manual" });
  env.host.append(lost);
  const shadow = /** @type {ShadowRoot} */ (env.host.getRootNode());
  const forget = onConnection((on) => {
    shadow.host.classList.toggle("lost", !on);
    lost.textContent = on ? "" : SHARED.lost;
    if (lost.isConnected) lost.togglePopover(!on);
  });

  const leaveDetails = keepDetails();

  // An experiment may change what lies further down: it is brought into sight, and kept there while
  // what stands above it is still drawn, unless the learner moves on.
  /**
   * @param {string} key
   * @param {boolean} far only if it begins where it would not be noticed, above or too far down
   */
  function goTo(key, far) {
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
      if (place && top !== at && !(far && top >= 0 && top < innerHeight * 0.75)) {
        place.scrollIntoView({ behavior: REDUCED_MOTION ? "auto" : "smooth", block: "start" });
      }
      at = top ?? NaN;
      setTimeout(look, 150);
    })();
  }

  return {
    update(page) {
      speakThrough(env.tell);
      takeOver(page);
      live(page.live);
      document.dispatchEvent(new CustomEvent(PAGE));
      const { n = 0, to, far, turns } = page.go ?? {};
      if (gone !== null && n !== gone) {
        goTo(to, far);
        if (turns) turn();
      }
      gone = n;
      // Plots have the colours that the page had when the server drew them.
      if (modeOf(env.host) !== mode) env.say("mode", mode = modeOf(env.host));
    },
    destroy() {
      speakThrough(null);
      forget();
      leaveDetails();
    },
  };
});
