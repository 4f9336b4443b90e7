// When did the page finish drawing after a click? Put into a page before its own scripts run.
//
// Everything that changes what is seen is noted with the time at which it was painted: elements in
// the document and in shadow roots, and canvases. What Streamlit changes to say that it is busy,
// the run bar, and what is not in sight do not count.
globalThis.glassDrawn = (() => {
  const painted = new Map(); // element -> when it was painted last
  let fresh = new Set(); // changed since the last frame
  let clicked = Infinity, sent = 0, received = 0, last = 0, armed = false;

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

  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(...values) {
      super(...values);
      this.addEventListener("message", () => { received = performance.now(); });
    }

    send(data) {
      sent = performance.now();
      super.send(data);
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
      [clicked, sent, received, armed] = [Infinity, 0, 0, true];
    },
    // Milliseconds from the click to the last drawing in sight, and to the server's last message;
    // null as long as it is not over.
    finished(quiet) {
      const state = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
      const over = state === "notRunning" && sent > clicked && received > sent
        && performance.now() - Math.max(last, received, clicked) > quiet;
      if (!over) return null;
      const times = [...painted].filter(([element]) => counts(element)).map(([, time]) => time);
      return { drawn: Math.max(...times, clicked) - clicked, answered: received - clicked };
    },
  };
})();
