// The place of a part of the page that is drawn when it is near what is seen. Once drawn it is
// drawn anew when what it shows has changed and it is near again.

import { define } from "../shared/component.js";
import { el } from "../shared/dom.js";
import { scroller } from "../shared/scrolling.js";
import { PAGE, SHARED, comeNear } from "../shared/selection.js";
import style from "./near.css.js";

const AHEAD = 500; // pixels that a part is drawn before it can be seen

export default define(style, (env) => {
  let payload = null;
  let near = false;
  let asked = -1; // how much of its change was asked for
  const place = el("div", { class: "place", "aria-hidden": "true" });
  env.host.append(place);

  function ask({ anyway = false } = {}) {
    const wanted = SHARED.page?.wanted?.[payload?.part] ?? 0;
    if (!payload || wanted <= Math.max(asked, payload.drawn) || !(near || anyway)) return;
    asked = wanted;
    comeNear(payload.part);
  }
  const observer = new IntersectionObserver(([entry]) => {
    near = entry.isIntersecting;
    ask();
  }, { root: scroller(env.host), rootMargin: `${AHEAD}px 0px` });
  observer.observe(env.host);
  const changed = () => ask();
  const print = () => ask({ anyway: true }); // a printed page is whole
  document.addEventListener(PAGE, changed);
  globalThis.addEventListener("beforeprint", print);

  return {
    update(next) {
      payload = next;
      asked = -1;
      place.hidden = payload.drawn >= 0;
      ask();
    },
    destroy() {
      observer.disconnect();
      document.removeEventListener(PAGE, changed);
      globalThis.removeEventListener("beforeprint", print);
    },
  };
});
