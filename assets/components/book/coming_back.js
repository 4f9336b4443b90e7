// The question that comes back at the end of a lesson, as core/lessons/again.py finds it; in a book it is
// one of the lesson's own, posed otherwise than before.

const PLACE = "again-end"; // in the key of its answers

/**
 * @param {{ at: number, id: string, title: string, ideas: string[], draws: boolean }[]} again what may
 * come back
 * @param {import("./study.js").Study} study
 * @param {string} lesson
 * @returns {{ at: number, title: string, ident: string, order: (variants: any[]) => any[] } | null}
 */
export function comingBack(again, study, lesson) {
  const ident = ({ id }) => `${id}/${lesson}/${PLACE}`;
  const kept = again.find((one) => study.entry(lesson, ident(one)));
  const met = again.filter(({ id }) => study.entry(lesson, id)?.[3]);
  const [first] = study.ideas.flatMap((idea) => met.filter(({ ideas }) => ideas.includes(idea))
    .sort((a, b) => Number(b.draws) - Number(a.draws)));
  const found = kept ?? first;
  if (!found) return null;
  const { at, title, id } = found, own = ident(found);
  return { at, title, ident: own, order: (variants) => others(variants, study, id, own) };
}

// The variants that she has not been asked, those after the one in the lesson first; all where there are
// no others.
function others(variants, study, id, own) {
  const asked = study.progress.answers
    .filter(([, key]) => key !== own && key.split("/")[0] === id).map((entry) => entry[9]);
  const left = variants.filter(({ about }) => !asked.includes(about));
  return left.length ? left : variants;
}
