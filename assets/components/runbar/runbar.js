// The slim bar at the top of every page: the text, the model, the device, the language, and what
// can be done with the whole page. Typing is told to the server while it goes on.

import { Question } from "../shared/answers.js";
import { define } from "../shared/component.js";
import { el, fill, inFocus, keepFocus } from "../shared/dom.js";
import { FIND } from "../shared/finding.js";
import { keep, kept } from "../shared/kept.js";
import { canPlay, canWalk } from "../shared/keys.js";
import { BAR, PAGE, SHARED, WRITE } from "../shared/selection.js";
import { offerWay } from "../shared/skipping.js";
import { STATE } from "../shared/state.js";
import { nameMenu } from "../shared/streamlit.js";
import { later, toldBefore } from "../shared/time.js";
import style from "./runbar.css.js";
import { Scenes } from "./scenes.js";
import { lineUnder } from "./under.js";

const LARGE = 160; // pixels of a text that is written
const TYPED = "textarea, input:not([type=range], [type=checkbox], [type=radio]), [contenteditable]"; // takes text

const MORE = "…"; // in place of a model: all of them are offered
const WORD = 300; // ms at most between two letters of a word

export default define(style, (env) => {
  let payload = null;

  const text = el("textarea", { rows: 1, spellcheck: "false", class: "text" });
  const whose = el("p", { class: "whose", id: "whose" });
  const reads = el("span", { class: "reads", id: "reads" });
  const line = el("div", { class: "typing" }, text, reads, whose);
  const under = lineUnder(text, (words) => put(words));
  const model = el("select", { class: "model" });
  const device = el("select", { class: "device second" });
  const language = el("select", { class: "language second" });
  const glass = el("svg:svg", { viewBox: "0 0 16 16", width: 15, height: 15, "aria-hidden": "true" },
    el("svg:circle", { cx: 6.5, cy: 6.5, r: 4.5 }), el("svg:path", { d: "M10 10 L14.5 14.5" }));
  const find = el("button", { type: "button", class: "tool find" }, glass);
  const copy = el("button", { type: "button", class: "tool second" });
  const undo = el("button", { type: "button", class: "tool" });
  const reset = el("button", { type: "button", class: "tool second" });
  const lecture = el("button", { type: "button", class: "tool second" });
  const help = el("button", { type: "button", class: "tool second keys" }, "?");
  const scenes = new Scenes();
  const leave = el("button", { type: "button", class: "leave", onclick: () => lecture.click() });
  // On a phone the stage begins high: what is asked for less often is behind one button.
  const more = el("button", { type: "button", class: "tool more", "aria-expanded": "false" }, "⋯");
  const said = el("span", { class: "said", role: "status", "aria-live": "polite" });
  const dialog = el("dialog");
  env.host.append(
    el("div", { class: "bar" },
      line, under.line,
      el("div", { class: "choices" }, model, device, language),
      el("div", { class: "tools" }, find, copy, undo, reset, lecture, help, more, said)),
    el("div", { class: "out" }, scenes.part, scenes.element, leave), scenes.title, dialog,
  );
  more.addEventListener("click", () =>
    more.setAttribute("aria-expanded", String(env.host.classList.toggle("all"))));

  // A long text takes its room while it is written; else two lines, so that the stage stays in sight.
  const writing = () => inFocus() === text;
  const grow = () => {
    text.style.height = "auto";
    text.classList.remove("longer");
    const lines = 2.8 * parseFloat(getComputedStyle(text).fontSize);
    const most = writing() ? LARGE : lines + 15;
    const longer = !writing() && text.scrollHeight + 2 > most + 1;
    text.classList.toggle("longer", longer); // else the third line would be seen in part
    text.style.height = `${longer ? lines + 9 : Math.min(most, text.scrollHeight + 2)}px`;
  };
  // The samples stand there while she writes or is at one of them. What moves as she leaves waits until
  // the tap that took the keyboard away has hit what it was meant for.
  const settle = () => {
    const at = inFocus();
    env.host.classList.toggle("writing", at === text || under.line.contains(at));
    grow();
    under.draw();
  };
  const settleSoon = later(settle);
  for (const one of [text, under.line]) {
    one.addEventListener("focusin", settle);
    one.addEventListener("focusout", settleSoon);
  }
  let typing = false; // what was typed has not been said
  let instead = null; // the text in whose place it was typed, until it is known what stands where in both
  let looked = {}; // where she looked in it
  const now = () => SHARED.live?.value("text") ?? payload.example;
  const remember = () => {
    if (instead !== null) return;
    instead = now();
    looked = Object.fromEntries(Object.entries(SHARED.live?.values ?? {})
      .filter(([name]) => /^(.*\.)?(source_)?token$/.test(name)));
  };
  const tell = () => {
    typing = false;
    if (SHARED.bar && text.value === SHARED.bar.text) return; // the sentence of a lesson is not hers
    remember();
    SHARED.live?.type(text.value, SHARED.bar?.abroad);
  };
  const put = (words) => {
    text.value = words;
    grow();
    tellSoon.cancel();
    tell();
  };
  const tellSoon = later(tell, 250);
  const leaveTelling = toldBefore(tellSoon);
  text.addEventListener("input", () => { typing = true; remember(); grow(); tellSoon(); });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      tellSoon.cancel();
      tell();
    }
    if (event.key === "Escape") text.blur();
  });
  for (const [name, field] of Object.entries({ model, device, language })) {
    field.addEventListener("change", () => {
      if (field.value === MORE) moreModels();
      else SHARED.live?.set({ [name]: field.value }, { inBar: true });
    });
  }

  const say = (words) => {
    said.textContent = words;
    setTimeout(() => { if (said.textContent === words) said.textContent = ""; }, 2500);
  };
  // What is too long for a link is named.
  const words = (name) => {
    const missing = SHARED.live?.missing;
    return missing ? fill(payload.labels[`${name}_without`], { what: missing }) : payload.labels[name];
  };
  // Whoever opens the link of a lecture has a screen of her own.
  const link = () => {
    const { href } = location;
    if (!payload.lecture) return href;
    const plain = new URL(href);
    plain.searchParams.delete("view");
    return plain.href;
  };
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(link());
      say(words("copied"));
    } catch {
      // No clipboard without a secure page: show the link, selected, to be copied by hand.
      const field = el("input", { value: link(), readonly: true, class: "link", "aria-label": words("copy_by_hand") });
      dialog.replaceChildren(el("p", {}, words("copy_by_hand")), field, closer());
      dialog.showModal();
      field.select();
    }
  };
  const closer = () =>
    el("button", { type: "button", onclick: () => dialog.close() }, payload.labels.close);
  // Keys of one character can get in the way of who speaks to the page, or hits keys by mistake.
  const characters = () => kept("characters") !== "off";
  const showHelp = () => {
    const there = { walks: canWalk, plays: canPlay, asks: () => document.querySelector(".lesson-question") }; // what a key needs on the page
    const rows = payload.shortcuts.filter(([, , needs]) => !needs || there[needs]()).map(([key, what]) =>
      el("tr", { "data-key": key }, el("td", {}, el("kbd", {}, key)), el("td", {}, what)));
    const dim = () => rows.forEach((row) => row.classList.toggle(
      "off", /^\S( \d)*$/.test(row.dataset.key ?? "") && !characters()));
    const on = el("input", {
      type: "checkbox", checked: characters(),
      onchange: () => { keep("characters", on.checked ? "on" : "off"); dim(); },
    });
    dim();
    dialog.replaceChildren(
      el("h2", {}, payload.labels.shortcuts), el("table", {}, el("tbody", {}, ...rows)),
      el("label", { class: "characters" }, on, payload.labels.characters), closer());
    dialog.showModal();
  };
  find.addEventListener("click", () => document.dispatchEvent(new CustomEvent(FIND)));
  copy.addEventListener("click", copyLink);
  undo.addEventListener("click", () => SHARED.live?.undo());
  reset.addEventListener("click", () => SHARED.live?.reset());
  lecture.addEventListener("click", () => {
    SHARED.live?.turnLecture();
    if (!SHARED.keyed) lecture.blur(); // else the bar would stay over the page
  });
  help.addEventListener("click", showHelp);

  const write = () => {
    if (line.hidden || line.classList.contains("away")) return;
    text.focus();
    text.select();
  };
  // Shortcuts for the whole page, but never while something is typed, not even past all fields: one
  // letter alone is a shortcut, and of a word that comes nothing is done.
  let letter = -Infinity; // when the last one came
  let soon = 0;
  const keys = (event) => {
    let inside = event.target;
    while (inside?.shadowRoot?.activeElement) inside = inside.shadowRoot.activeElement;
    // Where nothing is typed, browsers take back what was typed elsewhere last.
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.shiftKey && !inside?.matches?.(TYPED)) {
      event.preventDefault();
      if (!dialog.open && !undo.disabled) undo.click();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (dialog.open || !characters()) return;
    // A field of the list that was just closed has the keyboard until the next picture.
    const field = /^(INPUT|TEXTAREA|SELECT)$/.test(inside?.tagName ?? "") && !dialog.contains(inside);
    if (field || inside?.isContentEditable) return;
    const action = {
      "/": write,
      "?": showHelp,
      u: () => undo.disabled || undo.click(),
      c: copyLink,
      l: () => lecture.click(),
    }[event.key];
    if (/^\p{L}$/u.test(event.key)) {
      const follows = event.timeStamp - letter < WORD;
      letter = event.timeStamp;
      clearTimeout(soon);
      if (action && !follows) soon = setTimeout(action, WORD);
    } else action?.();
    if (action) event.preventDefault();
  };
  document.addEventListener("keydown", keys, { signal: env.ends });
  document.addEventListener(WRITE, write, { signal: env.ends });
  // Out of a lecture, where nothing else has a use for the key: on the window, which hears it last.
  const escape = (event) => {
    if (event.key !== "Escape" || !payload?.lecture || event.defaultPrevented || dialog.open) return;
    const [inside] = event.composedPath(); // a field has let the keyboard go by now
    if (inside.matches?.(`${TYPED}, select, dialog *, [role=dialog] *, [aria-expanded=true]`)) return;
    event.preventDefault();
    lecture.click();
  };
  globalThis.addEventListener("keydown", escape, { signal: env.ends });
  const page = () => {
    const turn = () => { undo.disabled = !SHARED.live?.canUndo; };
    // Not on to the button beside it, which resets everything.
    if (SHARED.keyed) keepFocus(env.host, turn, () => copy);
    else turn();
  };
  document.addEventListener(PAGE, page, { signal: env.ends });

  // Where she looks follows its word into the text that she types. What she has chosen meanwhile does not.
  const followed = (names) => Object.entries(names).filter(([name]) => name in looked && SHARED.live.values[name] === looked[name]);
  const places = () => (instead === null ? [] : [["_before", instead], ...followed(looked)]);
  const remarks = new Question((bytes) => {
    const { remarks: said, looks } = JSON.parse(new TextDecoder().decode(bytes));
    under.update({ ...payload, remarks: said });
    const moved = Object.fromEntries(followed(looks));
    instead = null;
    if (Object.keys(moved).length) SHARED.live?.set(moved, { goesOn: true });
  });
  // Whose text it is: what the server has said of it holds no longer once another one stands there.
  function sayWhose(note) {
    whose.textContent = note ?? "";
    whose.hidden = !note && !SHARED.bar?.keeps;
  }
  function noteOf(live) {
    if (!live.values.hers) return "";
    return live.values.experiment ? payload.labels.of_experiment : payload.labels.not_hers;
  }
  function follow({ detail: { changed } }) {
    if (!changed.includes("text") || !payload || SHARED.bar) return;
    if (text.value !== now() && !typing) { // another one has come, by undo or an experiment
      text.value = now();
      instead = null;
    }
    sayWhose(noteOf(SHARED.live));
    grow();
    const asked = [["text", now()], ["model", payload.model], ["_language", payload.speaks], ...places()];
    remarks.ask(`${payload.asks}?${new URLSearchParams(asked)}`);
  }
  document.addEventListener(STATE, follow, { signal: env.ends });

  // The choices are built anew only when they are others: an open list must not close.
  const offer = (field, list, chosen) => {
    const said = JSON.stringify(list);
    if (field.dataset.list !== said) {
      field.replaceChildren(...list.map(([value, label]) => el("option", { value }, label)));
      field.dataset.list = said;
    }
    field.value = chosen;
  };
  // A newcomer is offered a few models, and the rest behind one more entry.
  const offerModels = ({ models, model: chosen, few = Infinity, labels }) => {
    const all = kept("models") === "all" || models.length <= few + 1;
    const shown = all ? models : models.filter(([value], n) => n < few || value === chosen);
    offer(model, all ? models : [...shown, [MORE, `${labels.more_models} …`]], chosen);
  };
  const moreModels = () => {
    keep("models", "all");
    offerModels({ ...payload, ...SHARED.bar });
    if (navigator.userActivation?.isActive) model.showPicker?.();
  };

  const heedBar = () => { if (payload) show(payload); };
  document.addEventListener(BAR, heedBar, { signal: env.ends });

  function show(given) {
    payload = given;
    const next = { ...given, ...SHARED.bar };
    const written = next.text !== null; // else the page is about something else
    // Between the steps of a lesson nothing in the bar changes its place: what one has not is away.
    const keeps = Boolean(SHARED.bar?.keeps);
    line.hidden = !written && !keeps;
    line.classList.toggle("away", !written && keeps);
    // What is being typed wins, and what is too long for the address that the server was asked with.
    const own = SHARED.bar ? next.text : SHARED.live?.value("text") ?? next.text;
    if (written && !typing && text.value !== own) text.value = own;
    SHARED.lost = next.labels.lost ?? "";
    offerWay(next.labels.to_figure ?? "");
    text.readOnly = Boolean(next.fixed);
    sayWhose(next.note);
    reads.textContent = next.labels.reads ?? "";
    const about = [reads, whose].filter((one) => one.textContent).map((one) => one.id);
    if (about.length) text.setAttribute("aria-describedby", about.join(" "));
    else text.removeAttribute("aria-describedby");
    // An answer to what was typed before says nothing of what stands there now.
    under.update(typing ? { ...next, remarks: [] } : next);
    text.placeholder = next.labels.placeholder;
    for (const [name, one] of Object.entries({ text, model, device, language, find, more, shortcuts: help })) {
      one.setAttribute("aria-label", next.labels[name]);
    }
    model.hidden = !next.models.length && !keeps; // what runs is no one model's
    model.classList.toggle("away", !next.models.length && keeps);
    offerModels(next);
    offer(device, next.devices, next.device);
    offer(language, next.languages, next.speaks);
    for (const [name, button] of Object.entries({ copy, undo, reset, lecture })) {
      button.textContent = next.labels[name];
    }
    find.setAttribute("aria-keyshortcuts", "Control+K");
    find.title = `${next.labels.find} (Ctrl+K)`;
    leave.replaceChildren(next.labels.leave, el("kbd", {}, "Esc"));
    help.title = next.labels.shortcuts;
    lecture.setAttribute("aria-pressed", String(next.lecture));
    page();
    env.host.classList.toggle("lecture", next.lecture);
    scenes.name({ back: next.labels.scene_back, next: next.labels.scene_next });
    scenes.project(next.lecture);
    nameMenu(next.labels.menu);
    grow();
  }

  return {
    update: show,
    resized: grow,
    destroy() {
      leaveTelling();
      settleSoon.cancel();
      under.destroy();
      scenes.destroy();
      remarks.end();
    },
  };
});
