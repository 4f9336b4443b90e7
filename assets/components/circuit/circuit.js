// Circuits side by side. A click on one selects it. Where everything lies is said by the payload.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import style from "./circuit.css.js";

const REM = 16; // pixels of the layout in a rem

export default define(style, (env) => {
  const { select, chosen } = env;
  let payload = null;

  const title = el("h2", { class: "title" });
  const row = el("div", { class: "circuits", role: "group" });
  const note = el("p", { class: "small muted" });
  env.host.append(title, row, note);

  function take(id) {
    select({ [payload.selects]: id });
    env.report([payload.selects]);
  }

  const text = (x, y, words, more = {}) => el("svg:text", { x: String(x), y: String(y), ...more }, words);
  const joined = (points) => points.map(([x, y]) => `${x},${y}`).join(" ");

  const wire = ({ points, tip }) => [
    el("svg:polyline", { class: "wire", points: joined(points) }),
    tip.length ? el("svg:polygon", { class: "arrow", points: joined(tip) }) : null,
  ];

  function box({ x, y, label, role, note: number, marked }) {
    const { wide, tall } = payload.sizes;
    const middle = x + wide / 2;
    return [
      el("svg:rect", {
        class: `box ${role}${marked ? " marked" : ""}`, x: String(x), y: String(y), width: String(wide),
        height: String(tall), rx: "5",
      }),
      text(middle, y + (number ? 15 : 22), label, { "text-anchor": "middle" }),
      number ? text(middle, y + 30, number, { class: "number", "text-anchor": "middle" }) : null,
    ];
  }

  function sum({ x, y, note: number }) {
    return [
      el("svg:circle", { class: "sum", cx: String(x), cy: String(y), r: String(payload.sizes.radius) }),
      text(x, y + 4, "+", { "text-anchor": "middle" }),
      text(x + 12, y + 20, number, { class: "number" }),
    ];
  }

  function circuit({ id, name, says, start, layout }) {
    const { width, height, boxes, wires, sums } = layout;
    const [x, y] = wires[0].points[0];
    const picture = el("svg:svg", {
      viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true",
      style: { width: `${width / REM}rem`, height: `${height / REM}rem` },
    }, ...wires.flatMap(wire), text(x + 12, y + 12, start, { class: "number" }), ...boxes.flatMap(box),
    ...sums.flatMap(sum));
    return el("button", {
      class: "circuit", type: "button", "data-id": id, "aria-label": `${name}. ${says}`,
      onclick: () => take(id),
    }, el("span", { class: "name" }, name), picture);
  }

  function mark() {
    const mine = chosen(payload.selects);
    for (const one of row.children) one.setAttribute("aria-pressed", String(one.dataset.id === mine));
  }

  return {
    update(next) {
      payload = next;
      title.textContent = next.title;
      note.textContent = next.note;
      row.setAttribute("aria-label", next.title);
      row.replaceChildren(...next.circuits.map(circuit));
      mark();
    },
    selected(changed) {
      if (payload && changed.includes(payload.selects)) mark();
    },
  };
});
