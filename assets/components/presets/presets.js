// Buttons in a row: each sets the state.

import { define } from "../shared/component.js";
import { el, keepFocus } from "../shared/dom.js";
import { SHARED } from "../shared/selection.js";
import style from "./presets.css.js";

export default define(style, (env) => {
  const called = el("p", { class: "label" });
  const row = el("div", { class: "row", role: "group" });
  env.host.append(row);

  return {
    update({ buttons, label: name }) {
      called.textContent = name;
      row.setAttribute("aria-label", name);
      keepFocus(env.host, () => row.replaceChildren(called, ...buttons.map(({ label, sets, on }) =>
        el("button", {
          type: "button", class: on ? "chosen" : "", ...(on ? { "aria-pressed": "true" } : {}), onclick: () => SHARED.live?.set({ ...sets, ...SHARED.live.lent(sets.text) }),
        }, label))));
    },
  };
});
