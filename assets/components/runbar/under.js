// The line under the text box: what there is to know of what was typed, or the machine that reads.

import { el, inFocus, rich } from "../shared/dom.js";
import { later } from "../shared/time.js";

const QUIET = 1200; // ms without a key: a blank between two words that are typed is none at the end

/**
 * @param {HTMLTextAreaElement} text the box
 * @param {(words: string) => void} put types something into it
 */
export function lineUnder(text, put) {
  const remarks = el("p", { class: "remarks", role: "status" });
  const machine = el("p", { class: "machine" });
  const tries = el("div", { class: "tries", role: "group" });
  const line = el("div", { class: "under" }, remarks, machine, tries);
  let next = { remarks: [], machine: {} };
  let typedAt = -Infinity;
  let drawn = "";

  // The box keeps the keyboard, and on a phone what is shown while it has it.
  const button = (words, then) =>
    el("button", { type: "button", class: "try", onpointerdown: (event) => event.preventDefault(), onclick: then }, words);
  const take = (words) => {
    forget();
    put(words);
  };
  const remark = ({ said, mend, mended }) =>
    el("span", { class: "remark" }, ...rich(said), mend ? " " : null, mend ? button(mend, () => take(mended)) : null);

  const draw = () => {
    const shown = inFocus() === text && performance.now() - typedAt < QUIET ? [] : next.remarks;
    const { said = "", well = "", tries: offered = [] } = next.machine;
    const now = JSON.stringify([shown, next.machine]);
    if (now === drawn) return;
    drawn = now;
    line.classList.toggle("remarking", shown.length > 0);
    line.hidden = !shown.length && !said;
    remarks.replaceChildren(...shown.flatMap((one, n) => (n ? [" ", remark(one)] : [remark(one)])));
    machine.replaceChildren(said, well ? el("span", { class: "well" }, ` ${well}`) : "");
    tries.setAttribute("aria-label", well);
    tries.replaceChildren(...offered.map((words) => button(words, () => take(words))));
  };
  // What was said of a text that stands there no more.
  const forget = () => {
    next = { ...next, remarks: [] };
    draw();
  };
  const soon = later(draw, QUIET);
  text.addEventListener("input", () => {
    typedAt = performance.now();
    forget();
    soon();
  });

  return {
    line,
    draw,
    update(payload) {
      next = { remarks: payload.remarks ?? [], machine: payload.machine ?? {} };
      draw();
    },
    destroy: () => soon.cancel(),
  };
}
