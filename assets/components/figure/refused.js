// Several figures of one scope may be refused for one reason: the first one of them says it.

/** @typedef {{ why: string, scope: string, say: (words: string) => void }} Refused */

/** @type {Map<Element, Refused>} */
const all = new Map();

const inOrder = ([a], [b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);

/**
 * A figure is refused, or is no longer.
 * @param {Element} figure as it stands on the page
 * @param {string} [why]
 * @param {(words: string) => void} [say] it there; nothing where another figure says it
 * @param {string} [scope] that it stands in
 */
export function refused(figure, why = "", say = () => {}, scope = "") {
  if (why) all.set(figure, { why, scope, say });
  else if (!all.delete(figure)) return;
  const said = new Set();
  for (const [, one] of [...all].sort(inOrder)) {
    const what = `${one.scope}\n${one.why}`;
    one.say(said.has(what) ? "" : one.why);
    said.add(what);
  }
}
