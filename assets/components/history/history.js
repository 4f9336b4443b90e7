// Steps through the history of a page whose state is the browser's: its script need not run for them.

import { SHARED } from "../shared/selection.js";
import { onStepFirst } from "../shared/streamlit.js";

onStepFirst((event) => {
  const { live } = SHARED;
  if (live?.path === location.pathname && live.stepped()) event.stopImmediatePropagation();
});
