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
  let asked = ""; // what the server was last asked for
  const place = el("div", { class: "place", "aria-hidden": "true" });
  env.host.append(place);

  function ask({ anyway = false } = {}) {
    if (!payload || !(near || anyway)) return;
    const wanted = SHARED.page?.wanted?.[payload.part] ?? 0;
    const now = `${payload.page} ${wanted}`;
    if (wanted <= payload.drawn || now === asked) return;
    asked = now;
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
