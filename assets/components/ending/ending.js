// How the story of a run ends: the one line that matters most, lit in the picture, to be cut; then whether
// the model needed it, what it was all about, and her own sentence.

import { define } from "../shared/component.js";
import { el, rich } from "../shared/dom.js";
import { SHARED, WRITE } from "../shared/selection.js";
import { STATE } from "../shared/state.js";
import { isOff, now, turned } from "../whatif/changes.js";
import style from "./ending.css.js";

const TELLS = "data-ended"; // of the document: the end says what has changed, so nothing above it need

export default define(style, (env) => {
  let payload = null;
  let summed = false; // what it was all about has been said, and stays
  const said = el("p", { "aria-live": "polite" });
  const isCut = () => isOff(now(), payload.panel.off);
  const cut = el("button", {
    type: "button", class: "primary",
    onclick: () => SHARED.live?.set(turned(now(), payload.panel.off, payload.panel.most)),
  });
  const sums = el("ol", {});
  const own = el("button", { type: "button", class: "primary", onclick: write });
  const again = el("button", { type: "button", onclick: () => SHARED.live?.set(payload.tour.sets) });
  const line = el("div", { class: "line at-foot" }, said, cut, own, again);
  env.host.append(el("div", { class: "ending" }, line, sums));
  SHARED.foot = line;

  function write() {
    line.classList.remove("at-foot");
    document.dispatchEvent(new CustomEvent(WRITE));
  }

  // The text that runs is one that she has typed: no example, and none that a card has put there.
  function isHers() {
    const values = SHARED.live?.values;
    return values?.text !== undefined && values.hers === undefined;
  }

  function draw() {
    if (!payload) return;
    env.host.hidden = Boolean(SHARED.live?.value("place")); // of the whole it is the end
    const { off, is_cut: done, lit, said: words, labels } = payload.panel;
    const over = done && isCut();
    said.replaceChildren(...rich(words));
    cut.textContent = labels.cut;
    own.textContent = isHers() ? labels.another : labels.own;
    again.textContent = payload.tour.label;
    cut.hidden = !off || done || isCut();
    summed ||= !off || done;
    sums.hidden = !summed;
    own.hidden = Boolean(off) && !done;
    sums.replaceChildren(...payload.sums.map((one) => el("li", {}, one)));
    document.documentElement.toggleAttribute(TELLS, over && !env.host.hidden);
    env.select({ lit: lit && !isCut() && !env.host.hidden ? lit : null });
  }
  document.addEventListener(STATE, draw, { signal: env.ends });

  return {
    update(next) {
      payload = next;
      draw();
    },
    destroy() {
      SHARED.foot = null;
      document.documentElement.removeAttribute(TELLS);
      env.select({ lit: null });
    },
  };
});
