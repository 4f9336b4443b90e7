// What a learner has answered, kept in her browser: no account. The server hears of it when the page
// opens, after a restart of its own, and when another tab has added to it; what it says of new answers
// is added here. It can be saved, loaded and wiped.

import { define } from "../shared/component.js";
import { el, fill } from "../shared/dom.js";
import { keep, kept, nameOf } from "../shared/kept.js";
import { isNewer, merged, read, sound } from "./merged.js";
import style from "./progress.css.js";

const KEY = "lessons"; // among what the browser keeps

export default define(style, (env) => {
  let payload = null;
  let told = ""; // in which visit, and what
  let asked = null; // how often the server had loaded a file when one was sent

  const stored = () => sound(kept(KEY) ?? "");

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
    const n = stored().answers.length, { labels } = payload;
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
    const said = { name: name.value, saved, lessons: payload.summary, ...stored() };
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
    asked = payload.loaded.n;
    // The server says what of it could be read.
    env.say("loaded", JSON.stringify({ ...found, era: stored().era }));
  });
  function askToWipe() {
    if (!sure) {
      sure = true;
      wipe.textContent = payload.labels.sure;
      sayWhose();
      return;
    }
    const era = Math.max(stored().era, payload.answered.era) + 1;
    const seed = stored().seed ?? payload.answered.seed;
    keep(KEY, JSON.stringify({ answers: [], ideas: {}, era, seed }));
    keep("name", name.value = ""); // it was that of whoever had answered
    env.say("wiped", era);
    said.textContent = payload.labels.wiped;
    sure = false;
    wipe.textContent = payload.labels.wipe;
    sayWhose();
  }

  // What is kept here goes to a server that does not know it, and what that knows is added to it.
  function meet() {
    const own = stored();
    const { sown } = payload; // a link has said by which seed a class is asked
    if (sown != null && own.seed !== sown) keep(KEY, JSON.stringify(Object.assign(own, { seed: sown })));
    if (!payload.known || isNewer(own, payload.answered)) {
      const text = JSON.stringify(own), now = `${payload.visit} ${text}`;
      if (!payload.known || told !== now) env.say("kept", text); // else it is on its way
      told = now;
    }
    if (payload.known && (own.seed === null || isNewer(payload.answered, own))) {
      keep(KEY, JSON.stringify(merged(own, payload.answered)));
    }
  }
  function fromAnotherTab(event) {
    if (!payload || event.key !== nameOf(KEY)) return;
    meet();
    sayWhose();
  }
  globalThis.addEventListener("storage", fromAnotherTab);

  return {
    update(next) {
      payload = next;
      name.placeholder = payload.labels.name;
      name.setAttribute("aria-label", payload.labels.name);
      save.textContent = payload.labels.save;
      load.textContent = payload.labels.load;
      wipe.textContent = sure ? payload.labels.sure : payload.labels.wipe;
      meet();
      sayWhose();
      if (asked !== null && payload.loaded.n > asked) {
        said.textContent = payload.labels[payload.loaded.what];
        asked = null;
      }
      refresh();
    },
    destroy() {
      globalThis.removeEventListener("storage", fromAnotherTab);
      URL.revokeObjectURL(save.href);
    },
  };
});
