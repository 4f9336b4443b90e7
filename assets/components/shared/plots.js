// Plots that are not ours are drawings without a name: each gets the words that stand beside it for who
// cannot see it, and they are read once.

import { plotsAndWords } from "./streamlit.js";

function name() {
  for (const [plot, words] of plotsAndWords()) {
    if (plot.ariaLabel === words.textContent) continue;
    plot.role = "img";
    plot.ariaLabel = words.textContent;
    words.ariaHidden = "true";
  }
}

/**
 * Name every plot of the page, now and later.
 * @returns {() => void} ends it
 */
export function keepPlotsNamed() {
  const drawn = new MutationObserver(name);
  drawn.observe(document.body, { childList: true, subtree: true });
  name();
  return () => drawn.disconnect();
}
