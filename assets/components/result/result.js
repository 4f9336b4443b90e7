// What came of the last test, and a file of it to keep: a page that opens and prints anywhere, with
// the learner's name and the date. The name stays in her browser.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { keep, kept } from "../shared/kept.js";
import style from "./result.css.js";

const today = () => new Date().toISOString().slice(0, 10);

export default define(style, (env) => {
  let payload = null;
  const shown = el("div");
  const name = el("input", { type: "text", class: "name", autocomplete: "name", value: kept("name") ?? "",
    oninput: () => keep("name", name.value) });
  const save = el("a", { role: "button", class: "tool" });
  env.host.append(shown, el("div", { class: "tools" }, name, save));

  save.addEventListener("focus", refresh);
  save.addEventListener("pointerenter", refresh);
  function refresh() {
    URL.revokeObjectURL(save.href);
    save.download = `glassformer-test-${today()}.html`;
    save.href = URL.createObjectURL(new Blob([page()], { type: "text/html" }));
  }

  const drawn = () => el("div", { class: "result" },
    el("p", { class: "said" }, payload.said),
    el("table", {},
      el("thead", {}, el("tr", {}, ...["lesson", "right", "again"].map(
        (one) => el("th", { scope: "col" }, payload.labels[one])))),
      el("tbody", {}, ...payload.rows.map((row) => el("tr", {},
        el("th", { scope: "row" }, row.lesson),
        el("td", { class: "right" }, row.right),
        el("td", {}, row.again.length ? el("ul", {}, ...row.again.map((one) => el("li", {}, one))) : null))))));

  // The same in a document of its own.
  function page() {
    const doc = document.implementation.createHTMLDocument(payload.title);
    doc.documentElement.lang = payload.language;
    const look = doc.createElement("style"), encoding = doc.createElement("meta");
    encoding.setAttribute("charset", "utf-8");
    look.textContent = `body { font-family: sans-serif; margin: 2rem auto; max-width: 46rem; } ${style}`;
    doc.head.prepend(encoding);
    doc.head.append(look);
    const whose = [name.value.trim(), today()].filter((one) => one).join(" · ");
    doc.body.append(doc.importNode(el("h1", {}, payload.title), true), doc.importNode(el("p", {}, whose), true),
      doc.importNode(drawn(), true));
    return `<!DOCTYPE html>\n${new XMLSerializer().serializeToString(doc.documentElement)}`;
  }

  return {
    update(next) {
      payload = next;
      shown.replaceChildren(drawn());
      name.placeholder = payload.labels.name;
      name.setAttribute("aria-label", payload.labels.name);
      save.textContent = payload.labels.save;
      refresh();
    },
    destroy() {
      URL.revokeObjectURL(save.href);
    },
  };
});
