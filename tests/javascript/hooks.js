// Makes the modules that Python makes (core/figures/assets.py) there for Node too.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const sources = {
  ".css.js": (url) =>
    `export default ${JSON.stringify(readFileSync(fileURLToPath(url).slice(0, -3), "utf-8"))};`,
  "/shared/palettes.js": () => `export const PALETTES = ${process.env.PALETTES};`,
};
const maker = (url) => Object.entries(sources).find(([end]) => url.endsWith(end))?.[1];

registerHooks({
  resolve(specifier, context, next) {
    if (!maker(specifier) && !specifier.endsWith("/palettes.js")) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
  },
  load(url, context, next) {
    const make = maker(url);
    if (make) return { source: make(url), format: "module", shortCircuit: true };
    return next(url, url.endsWith(".js") ? { ...context, format: "module" } : context);
  },
});
