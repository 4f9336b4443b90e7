// What is said where a page's connection cannot be had, as behind a network that blocks WebSockets: the
// server has put it into the document (pages/server/unheard.py), and nothing but this shows it.

import { hasConnection, placeOf } from "../shared/streamlit.js";

const LINK = "link"; // the key of the page's first part (shared/selection.js, which would come too late)
const SAID = 6000; // ms after the page was opened
const SAID_LATE = 25_000; // and where there is a connection through which nothing comes
const LOOKS = 250; // ms

function watch(place) {
  const timer = setInterval(() => {
    if (placeOf(LINK)) { // a connection that is lost later is said there
      clearInterval(timer);
      place.remove();
    } else place.hidden = performance.now() < (hasConnection() ? SAID_LATE : SAID);
  }, LOOKS);
}

const place = document.getElementById("glass-unheard");
if (place) watch(place);
