// The style sheets of components, each put once into the shadow root that a component stands in (in a
// file: into the document).

import shared from "./shared.css.js";

const sheets = new Map(); // by their text

function sheetOf(text) {
  if (!sheets.has(text)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  return sheets.get(text);
}

/**
 * @param {HTMLElement | ShadowRoot} element that the component is put into
 * @param {string} own CSS of the component
 */
export function dress(element, own) {
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  if (!root.adoptedStyleSheets) { // an older browser
    const sheet = document.createElement("style");
    sheet.textContent = shared + own;
    element.prepend(sheet);
    return;
  }
  const wanted = [shared, own].map(sheetOf)
    .filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...wanted];
}
