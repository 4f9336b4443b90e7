// The save menu alone, under a figure that is no component of ours.

import { define } from "../shared/component.js";

export default define("", () => ({ update() {} }));
