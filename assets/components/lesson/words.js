// Texts, which come as trees (core/lessons/book/words.py): nothing is ever read as markup.

import { el } from "../shared/dom.js";

const MATHS = "http://www.w3.org/1998/Math/MathML";

/**
 * Elements of a text.
 * @param {any[]} parts
 * @returns {Node[]}
 */
export const made = (parts) => parts.map((part) => {
  if (typeof part === "string") return document.createTextNode(part);
  const [name, attributes, ...inside] = part;
  const node = name.startsWith("math:") ? document.createElementNS(MATHS, name.slice(5)) : el(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...made(inside));
  return node;
});
