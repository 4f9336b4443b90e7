// Terms with an explanation that opens below the pointer, or for whoever has the keyboard there.

const TERM = ".glass-term";
const EDGE = 12; // pixels between what is explained and the edge of the screen

// What is explained stays closed until pointer and keyboard have left its term.
function dismiss(event) {
  if (event.key !== "Escape") return;
  for (const term of document.querySelectorAll(`${TERM}:hover, ${TERM}:focus`)) {
    if (term.classList.contains("dismissed")) continue;
    term.classList.add("dismissed");
    event.preventDefault();
    const leave = () => {
      if (term.matches(":hover, :focus")) return;
      term.classList.remove("dismissed");
      term.removeEventListener("pointerleave", leave);
      term.removeEventListener("blur", leave);
    };
    term.addEventListener("pointerleave", leave);
    term.addEventListener("blur", leave);
  }
}

// What opens at a term near the right edge is moved to the left, so that all of it can be read.
function keepInside(event) {
  const box = event.target.closest?.(TERM)?.querySelector(".explained");
  if (!box) return;
  box.style.marginLeft = "";
  const over = box.getBoundingClientRect().right - document.documentElement.clientWidth + EDGE;
  if (over > 0) box.style.marginLeft = `${-over}px`;
}

/** From now on, for the whole page: what is explained stays on the screen, and Escape closes it. */
export function tendTerms() {
  document.addEventListener("keydown", dismiss);
  document.addEventListener("pointerover", keepInside);
  document.addEventListener("focusin", keepInside);
}
