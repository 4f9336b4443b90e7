// What a learner has answered, kept in her browser: no account. The server hears of it when the
// page opens; what it says of new answers is added here. It can be saved, loaded and wiped.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { keep, kept } from "../shared/kept.js";
import style from "./progress.css.js";

const KEY = "lessons"; // among what the browser keeps
const MOST = 200_000; // characters of a file

export default define(style, (env) => {
  let payload = null;
  let told = false;
  let asked = null; // how often the server had loaded something when a file was sent

  const stored = () => {
    try {
      return JSON.parse(kept(KEY) ?? "{}");
    } catch {
      return {}; // something else has written there
    }
  };

  const save = el("a", { download: "glassformer-lessons.json", role: "button", class: "tool" });
  const file = el("input", { type: "file", accept: "application/json", hidden: true });
  const load = el("button", { type: "button", onclick: () => file.click() });
  const wipe = el("button", { type: "button", onclick: askToWipe });
  const said = el("span", { role: "status", "aria-live": "polite" });
  let sure = false;
  const tools = el("div", { class: "tools" }, save, load, file, wipe, said);
  env.host.append(tools);

  save.addEventListener("focus", refresh);
  save.addEventListener("pointerenter", refresh);
  function refresh() {
    URL.revokeObjectURL(save.href);
    save.href = URL.createObjectURL(
      new Blob([JSON.stringify(stored(), null, 1)], { type: "application/json" }));
  }
  file.addEventListener("change", async () => {
    const [one] = file.files ?? [];
    file.value = "";
    if (!one) return;
    try {
      const text = await one.text();
      const found = text.length <= MOST ? JSON.parse(text) : null;
      if (!found || typeof found !== "object" || Array.isArray(found)) throw new Error("no object");
      asked = payload.loaded.n;
      env.trigger("loaded", found); // the server says what of it could be read
    } catch {
      said.textContent = payload.labels.unreadable;
    }
  });
  function askToWipe() {
    if (!sure) {
      sure = true;
      wipe.textContent = payload.labels.sure;
      return;
    }
    keep(KEY, "{}");
    env.trigger("wiped", true);
    said.textContent = payload.labels.wiped;
    sure = false;
    wipe.textContent = payload.labels.wipe;
  }

  return {
    update(next) {
      payload = next;
      tools.hidden = !payload.tools;
      save.textContent = payload.labels.save;
      load.textContent = payload.labels.load;
      wipe.textContent = sure ? payload.labels.sure : payload.labels.wipe;
      if (payload.known) keep(KEY, JSON.stringify(payload.answered));
      else if (!told) {
        told = true;
        env.trigger("loaded", stored());
      }
      if (asked !== null && payload.loaded.n > asked) {
        said.textContent = payload.labels[payload.loaded.what];
        asked = null;
      }
      refresh();
    },
    destroy() { URL.revokeObjectURL(save.href); },
  };
});
