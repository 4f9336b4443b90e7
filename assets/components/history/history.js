// Steps through the history of a page whose state is the browser's: its script need not run for them.

import { moves } from "../shared/moving.js";
import { SHARED } from "../shared/selection.js";
import { connectAtOnce, onStepFirst } from "../shared/streamlit.js";

connectAtOnce(new URL("./", document.baseURI)); // all pages stand beside each other
onStepFirst((event) => {
  const { live } = SHARED;
  // While another page is on its way, a step is back from there, which Streamlit must hear of.
  if (!moves() && live?.path === location.pathname && live.stepped()) event.stopImmediatePropagation();
});
