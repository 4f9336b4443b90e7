// Save a figure as SVG or PNG, its numbers as CSV, or read its text alternative. All of it is
// made here; nothing is asked of the server.

export default define((env) => {
  let payload = null;
  const buttons = {};
  for (const kind of ["svg", "png", "csv"]) {
    buttons[kind] = el("button", { type: "button", onclick: () => save(kind) });
  }
  const label = el("span", { class: "muted" });
  const alt = el("details", {}, el("summary", {}), el("p", {}));
  env.host.append(el("div", { class: "export small" }, label, ...Object.values(buttons), alt));

  function offer(blob, ending) {
    const url = URL.createObjectURL(blob);
    const link = el("a", { href: url, download: `${payload.name}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  // A plot is no drawing of ours: it is taken as it stands on the page, its layers in one picture.
  const plot = () => document.querySelector(
    `.st-key-${CSS.escape(payload.plot.replace(/[^\w-]/g, "-"))} .js-plotly-plot`);

  function opaque(node) {
    for (let at = node; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/^transparent$|, 0\)$/.test(colour)) return colour;
    }
    return env.palette().background;
  }

  function drawn(figure) {
    const layers = [...figure.querySelectorAll("svg.main-svg")];
    const { width, height } = layers[0].getBoundingClientRect();
    const whole = el("svg:svg", { width, height, viewBox: `0 0 ${width} ${height}` },
      el("svg:rect", { width: "100%", height: "100%", fill: opaque(layers[0]) }),
      ...layers.map((layer) => layer.cloneNode(true)));
    for (const part of whole.querySelectorAll(".hoverlayer, .draglayer")) part.remove();
    // Plotly makes addresses of the ids it refers to where the page has a base.
    return new XMLSerializer().serializeToString(whole)
      .replace(/url\((&quot;|["'])?(?!&quot;)[^)"'#]+#/g, "url($1#");
  }

  async function save(kind) {
    if (kind === "csv") return offer(new Blob([payload.csv], { type: "text/csv" }), "csv");
    const figure = payload.plot && plot();
    const svg = figure ? drawn(figure) : payload.svg;
    if (!svg) return; // the plot is not there yet
    const drawing = new Blob([svg], { type: "image/svg+xml" });
    if (kind === "svg") return offer(drawing, "svg");
    const image = new Image();
    const url = URL.createObjectURL(drawing);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    canvas.toBlob((blob) => offer(blob, "png"));
  }

  return {
    update(next) {
      payload = next;
      label.textContent = next.labels.save;
      for (const [kind, button] of Object.entries(buttons)) {
        button.textContent = next.labels[kind];
        button.hidden = kind !== "csv" && !next.svg && !next.plot;
      }
      alt.querySelector("summary").textContent = next.labels.read;
      alt.querySelector("p").textContent = next.alt;
    },
  };
});
