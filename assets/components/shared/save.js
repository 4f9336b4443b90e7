// Saving a figure.

import { pen } from "./canvas.js";
import { modeOf } from "./colour.js";
import { el } from "./dom.js";
import { SHARED } from "./selection.js";

// One small menu under a figure. The files are made by the server when they are asked for, from the
// parameters that the page has, with what is selected in the browser at this moment in their place.

/**
 * @param {import("./component.js").Env} env
 * @returns {{ update: (payload: import("./payload.js").Payload) => void }}
 */
export function saveMenu(env) {
  let payload = null;
  const items = el("div", { class: "save-items", role: "menu" });
  const text = el("p", { class: "save-text", hidden: true });
  const summary = el("summary", {});
  const menu = el("details", { class: "save small" }, summary, items, text);
  env.host.append(menu);

  function address(kind) {
    const { view, params, fields, path } = payload.save;
    const chosen = Object.fromEntries(fields.map((name) => [name, env.chosen(name)])
      .filter(([, value]) => value !== null));
    const more = { _mode: modeOf(env.host) };
    const window_ = SHARED.windows?.[payload.figure];
    if (window_) more._window = window_.join(",");
    return `${path}/${view}.${kind}?${new URLSearchParams({ ...params, ...chosen, ...more })}`;
  }

  function offer(href, name) {
    const link = el("a", { href, download: name });
    link.click();
  }

  // What the figure shows, in words, as it is selected now.
  async function describe() {
    text.hidden = !text.hidden;
    if (text.hidden) return;
    const answer = await fetch(address("txt"));
    text.textContent = await answer.text();
  }

  // A picture of the drawing, twice as large for a slide.
  async function png() {
    const image = new Image();
    image.src = address("svg");
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    pen(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done); });
    const file = URL.createObjectURL(blob);
    offer(file, `${payload.save.view.replaceAll(".", "-")}.png`);
    setTimeout(() => URL.revokeObjectURL(file), 10_000);
  }

  const item = (kind, act) => el("button", {
    type: "button", role: "menuitem", "data-kind": kind, onclick: act,
  }, payload.save.labels[kind]);

  return {
    update(next) {
      payload = next;
      summary.textContent = payload.save.labels.save;
      const file = (kind) => item(kind, () => offer(address(kind), ""));
      items.replaceChildren(file("svg"), item("png", png), file("csv"), file("html"),
        item("text", describe));
    },
  };
}
