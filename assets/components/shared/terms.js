// Terms with an explanation that opens below the pointer, or for whoever has the keyboard there.

const TERM = ".glass-term";

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

/** From now on, for the whole page: Escape closes what is explained. */
export function dismissTerms() {
  document.addEventListener("keydown", dismiss);
}
