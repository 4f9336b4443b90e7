// Motion, and what happens after a while.

export const REDUCED_MOTION =
  globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
const SETTLED = 300; // ms after which a selection is told to the server

const slower = (even) => 1 - (1 - even) ** 3;

/**
 * Draw the way from 0 to 1, slower towards its end; at once where motion is not welcome.
 * @param {number} duration ms
 * @param {(share: number) => void} draw
 * @param {(even: number) => number} [pace] how much of the way has been gone after a share of the time
 */
export function animate(duration, draw, pace = slower) {
  if (REDUCED_MOTION || duration <= 0) {
    draw(1);
    return;
  }
  const began = performance.now();
  const frame = (now) => {
    const share = Math.min(1, (now - began) / duration);
    draw(pace(share));
    if (share < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

/**
 * Something that is done after a while: `flush` does now what is still waited for, if anything is,
 * `cancel` gives it up.
 * @typedef {((...values: any[]) => void) & { flush: () => void, cancel: () => void }} Later
 */
/**
 * Quick calls become one, with the last values.
 * @param {(...values: any[]) => void} run
 * @param {number} [wait] ms
 * @returns {Later}
 */
export function later(run, wait = SETTLED) {
  let timer;
  const call = (...values) => {
    clearTimeout(timer);
    call.flush = () => {
      call.cancel();
      run(...values);
    };
    timer = setTimeout(call.flush, wait);
  };
  call.cancel = () => {
    clearTimeout(timer);
    call.flush = () => {};
  };
  call.flush = () => {};
  return call;
}

/** @type {Set<Later>} */
const settling = new Set();

/**
 * What is told once it has settled, but before anything that is done after it.
 * @param {Later} told
 * @returns {() => void} to be called when its component goes
 */
export function toldBefore(told) {
  settling.add(told);
  return () => settling.delete(told);
}

/** Tell what has not settled yet. */
export function tellAll() {
  for (const told of settling) told.flush();
}

/**
 * Things that take a while, one after the other; one that fails does not hold up the next.
 * @returns {(act: () => any) => Promise<any>}
 */
export function turns() {
  let last = Promise.resolve();
  return (act) => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
}
