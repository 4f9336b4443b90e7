// The inside of a place. On a page that has the whole picture it is drawn there, where the place is;
// alone it is drawn by itself.

import { pen, sizeCanvas, zoomOf } from "../shared/canvas.js";
import { define } from "../shared/component.js";
import { el, spoken } from "../shared/dom.js";
import { placeIn } from "../shared/hit.js";
import { Tooltip } from "../shared/tooltip.js";
import { arrive } from "./arrived.js";
import style from "./inside.css.js";
import { Sheet } from "./sheet.js";

const TOP = 40; // pixels above the rows
const ROW = 26;

export default define(style, (env) => {
  let payload = null;
  let sheet = null;
  const canvas = el("canvas", { role: "img" });
  const title = el("h2", { class: "title" });
  const holder = el("div", { class: "alone" }, title, canvas);
  const tip = new Tooltip(holder);
  env.host.append(holder);

  function draw() {
    const zoom = zoomOf(env.host);
    const width = Math.max(300, env.host.clientWidth);
    const height = Math.max(1, payload.rows.length) * ROW * zoom;
    sheet = new Sheet(payload, { palette: env.palette(), style: getComputedStyle(env.host), zoom });
    sizeCanvas(canvas, width, TOP * zoom + height + 8);
    canvas.setAttribute("aria-label", spoken(payload.alt));
    sheet.place({ x: 0, width, top: TOP * zoom, height }, null);
    sheet.draw(pen(canvas));
  }

  canvas.addEventListener("pointermove", (event) => {
    const found = sheet?.at(placeIn(event, canvas));
    if (found) tip.show(sheet.tell(found), placeIn(event, holder));
    else tip.hide();
  });
  canvas.addEventListener("pointerleave", () => tip.hide());

  return {
    update(next) {
      payload = next;
      title.textContent = next.title ?? "";
      holder.hidden = Boolean(payload.hosted);
      if (payload.hosted) arrive(payload);
      else draw();
    },
    resized() {
      if (payload && !payload.hosted) draw();
    },
  };
});
