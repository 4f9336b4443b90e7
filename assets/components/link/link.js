// The page's link, which nobody sees: it is the first component on the page, tells the server what
// was selected, and hears from it what is selected, what can be undone and what has grown old.

import { modeOf } from "../shared/colour.js";
import { define } from "../shared/component.js";
import { REDUCED_MOTION } from "../shared/time.js";
import { PAGE, SHARED, takeOver } from "../shared/selection.js";
import { placeOf } from "../shared/streamlit.js";
import style from "./link.css.js";

export default define(style, (env) => {
  let gone = null; // how often the page was asked to go to a figure
  let mode = modeOf(env.host);
  SHARED.link = env;

  // An experiment may change what lies further down: it is brought into sight, once it is drawn.
  function goTo(key, tries = 50) {
    const place = placeOf(key);
    if (!place && tries) setTimeout(() => goTo(key, tries - 1), 100);
    place?.scrollIntoView({ behavior: REDUCED_MOTION ? "auto" : "smooth", block: "start" });
  }

  return {
    update(next) {
      const { chosen, ...page } = next;
      takeOver(chosen, SHARED.page?.address !== page.address);
      SHARED.page = page;
      document.dispatchEvent(new CustomEvent(PAGE));
      if (gone !== null && page.go.n !== gone) goTo(page.go.to);
      gone = page.go.n;
      // Plots have the colours that the page had when the server drew them.
      if (modeOf(env.host) !== mode) env.trigger("mode", mode = modeOf(env.host));
    },
    destroy() {
      if (SHARED.link === env) SHARED.link = null;
    },
  };
});
