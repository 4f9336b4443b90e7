// What a learner has answered, kept in her browser (book/study.js): no account. It can be saved, loaded
// and wiped.

import { define } from "../shared/component.js";
import { el, fill } from "../shared/dom.js";
import { keep, kept } from "../shared/kept.js";
import { read } from "./merged.js";
import style from "./progress.css.js";

export default define(style, (env) => {
  let payload = null;
  let loaded = NaN; // how many files were, when it was said last


  const name = el("input", { type: "text", class: "name", autocomplete: "name", value: kept("name") ?? "",
    oninput: () => { keep("name", name.value); sayWhose(); } });
  const save = el("a", { role: "button", class: "tool save" });
  const file = el("input", { type: "file", accept: "application/json", hidden: true });
  const load = el("button", { type: "button", onclick: () => file.click() });
  const wipe = el("button", { type: "button", class: "wipe", onclick: askToWipe });
  const said = el("span", { role: "status", "aria-live": "polite" });
  let sure = false;
  let opened = false; // what is seldom wanted
  const tools = el("div", { class: "tools" }, name, save, load, file, wipe);
  // On a computer that others use, too: whoever comes next sees whose it is before she adds to it.
  const owner = el("span", { class: "owner" });
  const anew = el("button", { type: "button", class: "anew", onclick: askToWipe });
  const more = el("button", { type: "button", class: "more", "aria-expanded": "false", onclick: () => {
    opened = !opened;
    more.setAttribute("aria-expanded", String(opened));
    sayWhose();
  } });
  const whose = el("p", { class: "whose" }, owner, anew, more);
  env.host.append(whose, tools, said);
  function sayWhose() {
    const { answered: { answers: { length: n } }, labels } = payload;
    const theirs = name.value.trim();
    whose.hidden = !payload.whose || !n;
    tools.classList.toggle("nothing", Boolean(payload.whose) && !n); // to save or to delete
    more.hidden = !payload.tools;
    tools.hidden = !payload.tools || (!whose.hidden && !opened);
    if (whose.hidden) return;
    owner.textContent = fill(theirs ? labels.whose : labels.somebody, { name: theirs, n });
    anew.textContent = sure ? labels.sure : labels.anew;
    more.textContent = labels.more;
  }

  save.addEventListener("focus", refresh);
  save.addEventListener("pointerenter", refresh);
  function refresh() {
    URL.revokeObjectURL(save.href);
    const saved = new Date().toISOString().slice(0, 10);
    save.download = `glassformer-lessons-${saved}.json`;
    // Whoever opens the file reads first whose it is, of when, and how far she was.
    const said = { name: name.value, saved, lessons: payload.summary, ...payload.answered };
    save.href = URL.createObjectURL(
      new Blob([JSON.stringify(said, null, 1)], { type: "application/json" }));
  }
  file.addEventListener("change", async () => {
    const [one] = file.files ?? [];
    file.value = "";
    if (!one) return;
    const found = one.size <= 4 * payload.longest ? read(await one.text()) : null;
    if (!found) {
      said.textContent = payload.labels.unreadable;
      return;
    }
    env.say("loaded", JSON.stringify(found)); // what of it could be read comes back
  });
  function askToWipe() {
    if (!sure) {
      sure = true;
      wipe.textContent = payload.labels.sure;
      sayWhose();
      return;
    }
    keep("name", name.value = ""); // it was that of whoever had answered
    env.say("wiped", "");
    said.textContent = payload.labels.wiped;
    sure = false;
    wipe.textContent = payload.labels.wipe;
    sayWhose();
  }

  return {
    update(next) {
      payload = next;
      name.placeholder = payload.labels.name;
      name.setAttribute("aria-label", payload.labels.name);
      save.textContent = payload.labels.save;
      load.textContent = payload.labels.load;
      wipe.textContent = sure ? payload.labels.sure : payload.labels.wipe;
      sayWhose();
      if (payload.loaded.n > loaded) said.textContent = payload.labels[payload.loaded.what];
      loaded = payload.loaded.n;
      refresh();
    },
    destroy: () => URL.revokeObjectURL(save.href),
  };
});
