// The picture that the home page begins with, before Streamlit has begun: the server has put what it
// is drawn from into the document (pages/server/first.py). It stands until the page's own is drawn in
// its place, and what is told of it goes on there.

import { PALETTES } from "../shared/palettes.js";
import { placeOf } from "../shared/streamlit.js";
import { giveWay, stand } from "../flow/ahead.js";
import flow from "../flow/flow.js";

const OWN = "flow"; // the page's own
const LAST = "search"; // what stands at the end of every page
const LOOKS = 100; // ms
const MODE = globalThis.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

function begin(place) {
  const { background, surface, border, text, accent } = PALETTES[MODE];
  const colours = {
    "background-color": background, "secondary-background-color": surface, "border-color": border,
    "text-color": text, "primary-color": accent,
  };
  place.style.colorScheme = MODE;
  for (const [name, colour] of Object.entries(colours)) place.style.setProperty(`--st-${name}`, colour);
  const bytes = Uint8Array.from(atob(place.dataset.picture), (one) => one.charCodeAt(0));
  delete place.dataset.picture;
  const root = place.querySelector(".picture").attachShadow({ mode: "open" });
  const end = flow({ parentElement: root, data: bytes, key: "first" });
  const watch = setInterval(() => {
    if (!location.pathname.endsWith("/") || (placeOf(LAST) && !placeOf(OWN))) giveWay();
  }, LOOKS);
  stand({
    leave() {
      clearInterval(watch);
      place.remove();
      end();
    },
  });
}

const place = document.getElementById("glass-first");
if (place) begin(place);
