// Motion, and what happens after a while.

export const REDUCED_MOTION = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
const SETTLED = 300; // ms after which a selection is told to the server

export function animate(duration, draw) {
  if (REDUCED_MOTION || duration <= 0) return draw(1);
  const began = performance.now();
  const frame = (now) => {
    const share = Math.min(1, (now - began) / duration);
    draw(1 - (1 - share) ** 3);
    if (share < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

export function later(run, wait = SETTLED) {
  let timer = null;
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
    call.flush = () => {}; // do now what is still waited for, if anything is
  };
  call.cancel();
  return call;
}
