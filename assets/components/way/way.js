// A way to another page that shows the same: what is selected in this scope goes along, under the
// plain names of that page, and under its own, for the way back.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { plain, visit } from "../shared/moving.js";
import { SHARED } from "../shared/selection.js";
import { STATE } from "../shared/state.js";
import style from "./way.css.js";

export default define(style, (env) => {
  let payload = null;
  const arrow = el("span", { "aria-hidden": "true" });
  const link = el("a", { onclick: go });
  const leave = el("button", { type: "button", onclick: leaveIt }, "×");
  const line = el("div", { class: "way" }, arrow, link, leave);
  env.host.append(line);

  // What was chosen here by hand; what a figure shows by itself it shows there as well.
  function chosen() {
    const { scope } = payload;
    if (!scope) return [];
    return Object.entries(SHARED.chosen)
      .filter(([name, value]) => name.startsWith(`${scope}.`) && value !== null)
      .flatMap(([name, value]) => {
        const local = name.slice(scope.length + 1);
        return payload.names.includes(local) ? [[name, value], [local, value]] : [[name, value]];
      });
  }

  // What it is to show there; the text may be one that the state has under another name.
  function shows() {
    const text = payload.text && SHARED.live?.value(payload.text);
    return { ...payload.query, ...Object.fromEntries(chosen()), ...(text ? { text } : {}) };
  }

  function refresh() {
    if (payload) link.href = `${payload.page}?${new URLSearchParams(shows())}`;
  }

  function leaveIt() {
    SHARED.live?.set(Object.fromEntries(payload.leaves.map((name) => [name, null])));
    line.hidden = true;
  }

  document.addEventListener(STATE, refresh, { signal: env.ends });

  function go(event) {
    refresh();
    if (!plain(event)) return;
    event.preventDefault();
    visit(payload.page, shows());
  }

  return {
    update(next) {
      payload = next;
      arrow.textContent = next.leave ? "←" : "→";
      link.textContent = next.say;
      leave.hidden = !next.leave;
      leave.title = next.leave ?? "";
      leave.setAttribute("aria-label", next.leave ?? "");
      line.classList.toggle("back", Boolean(next.leave));
      line.hidden = false;
      refresh();
    },
    selected(_changed, hover) {
      if (!hover) refresh();
    },
  };
});
