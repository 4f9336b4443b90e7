// What is said where a page's connection cannot be had, as behind a network that blocks WebSockets: the
// server has put it into the document (pages/server/unheard.py), and nothing but this shows it.

import { connected, placeOf } from "../shared/streamlit.js";

const LINK = "link"; // the key of the page's first part (shared/selection.js, which would come too late)
const SAID = 4500; // ms without a connection, from when there was code that asks for one
const SAID_LATE = 25_000; // ms after the page was opened, where the code is late or nothing comes through
const LOOKS = 250; // ms

let since = Infinity;
const timer = setInterval(() => {
  const place = document.getElementById("glass-unheard");
  if (!place) return; // it stands at the end of the document
  if (placeOf(LINK)) { // a connection that is lost later is said there
    clearInterval(timer);
    place.remove();
    return;
  }
  const now = performance.now();
  if (!connected()) since = Math.min(since, now);
  if (now > SAID_LATE || (!connected() && now > since + SAID)) place.hidden = false;
}, LOOKS);
