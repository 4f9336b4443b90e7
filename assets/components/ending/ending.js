// How the story of a run ends: the one line that matters most, lit in the picture, to be cut; then what it
// was all about, and her own sentence.

import { define } from "../shared/component.js";
import { el, rich } from "../shared/dom.js";
import { SHARED, WRITE } from "../shared/selection.js";
import { STATE } from "../shared/state.js";
import style from "./ending.css.js";

export default define(style, (env) => {
  let payload = null;
  const said = el("p", { "aria-live": "polite" });
  const cut = el("button", { type: "button", class: "primary", onclick: () => SHARED.live?.set({ off: payload.panel.off }) });
  const sums = el("ol", {});
  const own = el("button", { type: "button", class: "primary", onclick: write });
  const again = el("button", { type: "button", onclick: () => SHARED.live?.set(payload.tour.sets) });
  const line = el("div", { class: "line at-foot" }, said, cut, own, again);
  env.host.append(el("div", { class: "ending" }, line, sums));

  // Of another text it is another line.
  function write() {
    line.classList.remove("at-foot");
    if (SHARED.live?.value("off") === payload.panel.off) SHARED.live.set({ off: null });
    document.dispatchEvent(new CustomEvent(WRITE));
  }

  function draw() {
    if (!payload) return;
    env.host.hidden = Boolean(SHARED.live?.value("place")); // of the whole it is the end
    const { off, said: before, after, labels } = payload.panel;
    const done = off && SHARED.live?.value("off") === off;
    said.replaceChildren(...rich(done ? after : before));
    cut.textContent = labels.cut;
    own.textContent = labels.own;
    again.textContent = payload.tour.label;
    cut.hidden = !off || done;
    sums.hidden = own.hidden = Boolean(off) && !done;
    sums.replaceChildren(...payload.sums.map((one) => el("li", {}, one)));
    env.select({ lit: off && !done && !env.host.hidden ? off : null });
  }
  document.addEventListener(STATE, draw);

  return {
    update(next) {
      payload = next;
      draw();
    },
    destroy() {
      document.removeEventListener(STATE, draw);
      env.select({ lit: null });
    },
  };
});
