// The model folded flat, above a page: where somebody is in it. Its places are links.

import { define } from "../shared/component.js";
import { Flat } from "./flat.js";
import style from "./map.css.js";

export default define(style, (env) => {
  let payload = null;
  const flat = new Flat(env);
  env.host.append(flat.node);

  return {
    update(next) {
      payload = next;
      flat.draw(payload);
    },
    resized: () => payload && flat.drawEdges(),
    selected(changed, hover) {
      if (!hover && (changed.includes("layer") || changed.includes("step"))) flat.draw(payload);
    },
  };
});
