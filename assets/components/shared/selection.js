// The selection, one for each scope.
//
// Components live in shadow roots of one document. The selection (token, query, key, layer,
// head, step ...) is kept on the window; a change is told by an event on the document. A page is
// one scope, with plain names; a second one beside it (a lesson, a comparison) has names with a
// prefix, "b.layer". A component knows only the names of its own scope.

export const SHARED = (globalThis.__glassformer ??= {
  selection: {}, hover: {}, // what is selected and what is pointed at, by name
  server: {}, // the selection as the server last said it
  awaited: {}, // by name, what the server was told and has not said back yet
  sent: 0, // messages so far
  reports: new Set(), // one a component: tells the server what was selected
  pointing: null, // the component in which something is pointed at
  walkers: new Set(), // components that go one on or back with the page's arrow keys
});
export const CHANGED = "glassformer:select";

export function selectAll(patch, { hover = false } = {}) {
  const target = hover ? SHARED.hover : SHARED.selection;
  const changed = Object.keys(patch).filter((name) => target[name] !== patch[name]);
  if (!changed.length) return;
  Object.assign(target, patch);
  document.dispatchEvent(new CustomEvent(CHANGED, { detail: { changed, hover } }));
}

// The selection as one scope sees it.
export function scoped(scope) {
  const prefix = scope ? `${scope}.` : "";
  const full = (name) => prefix + name;
  return {
    full,
    select: (patch, how) => selectAll(
      Object.fromEntries(Object.entries(patch).map(([name, value]) => [full(name), value])), how),
    chosen: (name) => SHARED.selection[full(name)] ?? null,
    pointed: (name) => SHARED.hover[full(name)] ?? null,
    // What is pointed at, if anything is; else what is selected.
    current: (name) => SHARED.hover[full(name)] ?? SHARED.selection[full(name)] ?? null,
    // The names of this scope among those that changed.
    own: (changed) => changed.filter((name) => name.startsWith(prefix)
      && (prefix || !name.includes("."))).map((name) => name.slice(prefix.length)),
  };
}

// The server's selection counts only when the server changed it by itself (a link, undo, an
// experiment); an echo of what the browser said before must not undo a newer click.
export function adopt(selection, full) {
  const changed = {};
  for (const [local, value] of Object.entries(selection ?? {})) {
    const name = full(local);
    if (name in SHARED.server && SHARED.server[name] === value) continue;
    SHARED.server[name] = value;
    const awaited = SHARED.awaited[name] ?? [];
    const echo = awaited.indexOf(value);
    SHARED.awaited[name] = echo < 0 ? [] : awaited.slice(echo + 1);
    if (echo < 0) changed[name] = value;
  }
  selectAll(changed);
}

// Note what the server is about to be told, to know it again when it says so itself.
export function await_(name, value) {
  const awaited = (SHARED.awaited[name] ??= []);
  const last = awaited.length ? awaited.at(-1) : SHARED.server[name];
  if (last !== value) awaited.push(value);
}
