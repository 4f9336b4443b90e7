// When did the page finish drawing after a click? Put into a page before its own scripts run.
//
// Everything that changes what is seen is noted with the time at which it was painted: elements in
// the document and in shadow roots, and canvases. What Streamlit changes to say that it is busy,
// the run bar, and what is not in sight do not count. What is asked for is asked by `fetch`.
globalThis.glassDrawn = (() => {
  const painted = new Map(); // element -> when it was painted last
  let fresh = new Set(); // changed since the last frame
  let clicked = Infinity, asking = 0, answered = 0, last = 0, armed = false;

  const afterPaint = new MessageChannel();
  afterPaint.port1.onmessage = () => {
    last = performance.now();
    for (const element of fresh) painted.set(element, last);
    fresh = new Set();
  };
  const changed = (element) => {
    if (!fresh.size) requestAnimationFrame(() => afterPaint.port2.postMessage(0));
    fresh.add(element);
  };

  const drawing = ["fillRect", "strokeRect", "clearRect", "fill", "stroke", "fillText", "strokeText",
    "drawImage", "putImageData"];
  for (const name of drawing) {
    const original = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function draw(...values) {
      changed(this.canvas);
      return original.apply(this, values);
    };
  }

  // Streamlit marks its elements while a script runs; only what is drawn has attributes that show.
  const shows = ({ type, target, attributeName }) => type !== "attributes"
    || (!attributeName.startsWith("data-")
      && (target.getRootNode() instanceof ShadowRoot || target instanceof SVGElement));
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (!shows(record)) continue;
      const { target } = record;
      changed(target instanceof ShadowRoot ? target.host : target.parentElement && !(target instanceof Element)
        ? target.parentElement : target);
    }
  });
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document, all);
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(how) {
    const root = attach.call(this, how);
    observer.observe(root, all);
    return root;
  };

  const ask = globalThis.fetch;
  globalThis.fetch = async (...how) => {
    asking += 1;
    try {
      return await ask(...how);
    } finally {
      asking -= 1;
      answered = performance.now();
    }
  };

  for (const kind of ["click", "keydown", "change"]) {
    globalThis.addEventListener(kind, (event) => {
      if (!armed) return;
      armed = false;
      clicked = event.timeStamp;
    }, true);
  }

  const up = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  function counts(element) {
    if (!element.isConnected) return false;
    for (let node = element; node; node = up(node)) {
      if (node.matches('header, [data-testid="stStatusWidget"], .st-key-runbar, head')) return false;
    }
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
  }

  return {
    // The next click is the one.
    arm() {
      painted.clear();
      [clicked, armed] = [Infinity, true];
    },
    // All that was asked for is answered, and nothing has been drawn for so many ms.
    still: (quiet) => !asking && !fresh.size
      && performance.now() - Math.max(last, answered) > quiet,
    // Milliseconds from the click to the last drawing in sight, and to the server's last answer;
    // null as long as it is not over.
    finished(quiet) {
      if (clicked === Infinity || !this.still(quiet)) return null;
      const times = [...painted].filter(([element]) => counts(element)).map(([, time]) => time);
      // It may be under way; or pointing at it has drawn all that the click would.
      if (!times.length && !this.still(6 * quiet)) return null;
      return { drawn: Math.max(clicked, ...times) - clicked, answered: answered - clicked };
    },
  };
})();
