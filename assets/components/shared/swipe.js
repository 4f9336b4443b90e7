// A finger that wipes to the side.

const FAR = 48; // pixels
const STEEP = 0.6; // of its way, at most up or down

/**
 * @param {HTMLElement} node which lets the page scroll up and down meanwhile
 * @param {(by: number) => void} go one on, or one back
 */
export function swiped(node, go) {
  let from = null;
  node.style.touchAction = "pan-y";
  node.addEventListener("pointerdown", ({ pointerType, clientX, clientY }) => {
    from = pointerType === "touch" ? { x: clientX, y: clientY } : null;
  });
  node.addEventListener("pointercancel", () => { from = null; });
  node.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!from) return;
    const [x, y] = [clientX - from.x, clientY - from.y];
    from = null;
    if (Math.abs(x) >= FAR && Math.abs(y) <= STEEP * Math.abs(x)) go(x < 0 ? 1 : -1);
  });
}
