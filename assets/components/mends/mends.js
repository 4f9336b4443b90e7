// What the page's script has found wrong in the link and set right, when it has come to its end.

import { define } from "../shared/component.js";
import { SHARED } from "../shared/selection.js";

export default define(":host { display: none; }", () => ({
  update: ({ values }) => SHARED.live?.mend(values),
}));
