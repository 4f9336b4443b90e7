// Saving a figure.

import { pen } from "./canvas.js";
import { modeOf } from "./colour.js";
import { el } from "./dom.js";
import { Roving } from "./roving.js";
import { SHARED } from "./selection.js";

// One small menu under a figure. The files are made by the server when they are asked for, from the
// parameters that the page has, with what is selected in the browser at this moment in their place.

/** What the server said in place of a file. */
class Refused extends Error {}

/**
 * @param {import("./component.js").Env} env
 * @param {() => void} [table] shows the figure's numbers as a table, or no more
 * @returns {{ update: (payload: import("./payload.js").Payload) => void }}
 */
export function saveMenu(env, table) {
  let payload = null;
  const items = el("div", { class: "save-items", role: "menu" });
  const text = el("p", { class: "save-text", hidden: true });
  const problem = el("p", { class: "save-problem", role: "status" });
  const summary = el("summary", {});
  const menu = el("details", { class: "save small" }, summary, items, problem, text);
  const buttons = () => /** @type {HTMLElement[]} */ ([...items.children]);
  const roving = new Roving(items, buttons, { round: true });
  menu.addEventListener("keydown", keys);
  env.host.append(menu);

  // What is asked goes into the body: a long text would be too long for an address.
  async function made(kind) {
    const { view, params, fields, path } = payload.save;
    const chosen = Object.fromEntries(fields.map((name) => [name, env.chosen(name)])
      .filter(([, value]) => value !== null));
    const more = { _mode: modeOf(env.host) };
    const window_ = SHARED.windows?.[payload.figure];
    if (window_) more._window = window_.join(",");
    const body = new URLSearchParams({ ...params, ...chosen, ...more });
    const answer = await fetch(`${path}/${view}.${kind}`, { method: "POST", body });
    if (!answer.ok) throw new Refused(await answer.text());
    return answer.blob();
  }

  function offer(blob, kind) {
    const href = URL.createObjectURL(blob);
    el("a", { href, download: `${payload.save.view.replaceAll(".", "-")}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  // What the figure shows, in words, as it is selected now.
  async function describe() {
    if (text.hidden) text.textContent = await (await made("txt")).text();
    text.hidden = !text.hidden;
  }

  // A picture of the drawing, twice as large for a slide.
  async function png() {
    const image = new Image();
    const drawing = URL.createObjectURL(await made("svg"));
    image.src = drawing;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    pen(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(drawing);
    offer(await new Promise((done) => { canvas.toBlob(done); }), "png");
  }

  // A file that cannot be had is no silence: the server says why, or the connection is gone.
  async function attempt(act) {
    problem.textContent = "";
    menu.setAttribute("aria-busy", "true");
    try {
      await act();
    } catch (error) {
      problem.textContent = error instanceof Refused && error.message || payload.save.labels.failed;
    } finally {
      menu.removeAttribute("aria-busy");
    }
  }

  function keys(event) {
    if (event.key === "Escape" && menu.open) {
      event.stopPropagation();
      menu.open = false;
      summary.focus();
    } else if (event.key === "ArrowDown" && event.target === summary) {
      event.preventDefault();
      menu.open = true;
      roving.stop?.focus();
    }
  }

  const item = (kind, act) => el("button", {
    type: "button", role: "menuitem", tabindex: "-1", "data-kind": kind,
    onclick: () => attempt(act),
  }, payload.save.labels[kind]);

  return {
    update(next) {
      payload = next;
      menu.hidden = !next.save; // nothing is shown any more that could be saved
      if (menu.hidden) return;
      if (!SHARED.mark?.isConnected) SHARED.mark = menu;
      menu.classList.toggle("quiet", SHARED.mark !== menu);
      summary.textContent = payload.save.labels.save;
      items.setAttribute("aria-label", payload.save.labels.save);
      const file = (kind) => item(kind, async () => offer(await made(kind), kind));
      const had = buttons().findIndex((button) => button.matches(":focus"));
      items.replaceChildren(file("svg"), item("png", png), file("csv"), file("html"),
        item("text", describe), ...(table ? [item("table", async () => table())] : []));
      roving.reach(buttons()[Math.max(0, had)]);
      if (had >= 0) roving.stop?.focus();
    },
  };
}
