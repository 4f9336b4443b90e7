// Runs before a page's own code and knows what that still waits for: a run of the script that it
// asked for, a timer (the state is told of a selection by one), a component that has not drawn.
// `__underWay()` names it, or says "" when all has come. `__hurry()` lets timers go off early, and
// after `__ended()` nothing moves.
(() => {
  const SOON = 500; // ms, for which a timer is waited for
  const POLL = 20; // ms between looks
  const PATIENCE = 3000; // ms, for which a page at work is told from a machine at work
  const timers = new Map(); // id -> when it was set, when it is due, and what it runs
  let ahead = 0; // ms that were hurried
  const { setTimeout, clearTimeout } = globalThis;
  const clock = performance.now.bind(performance);
  const now = () => clock() + ahead;
  globalThis.setTimeout = (run, wait = 0, ...values) => {
    const go = () => {
      timers.delete(id);
      run(...values);
    };
    const id = setTimeout(go, wait);
    timers.set(id, { set: now(), wait, due: now() + wait, go });
    return id;
  };
  globalThis.clearTimeout = (id) => {
    timers.delete(id);
    clearTimeout(id);
  };
  globalThis.__hurry = (ms) => {
    const until = now() + ms;
    const first = () => [...timers].sort(([, a], [, b]) => a.due - b.due)[0];
    for (let next = first(); next && next[1].due <= until; next = first()) {
      const [id, { due, go }] = next;
      ahead = Math.max(ahead, due - clock());
      clearTimeout(id);
      go();
    }
    ahead = until - clock();
  };

  const frames = new Set(); // that were requested and have not come
  const { requestAnimationFrame, cancelAnimationFrame } = globalThis;
  globalThis.requestAnimationFrame = (draw) => {
    const id = requestAnimationFrame((at) => {
      frames.delete(id);
      draw(at);
    });
    frames.add(id);
    return id;
  };
  globalThis.cancelAnimationFrame = (id) => {
    frames.delete(id);
    cancelAnimationFrame(id);
  };
  globalThis.__ended = async () => {
    const frame = () => new Promise((done) => { requestAnimationFrame(done); });
    await frame(); // at its end observers hear of a new size
    do await frame(); while (frames.size);
    for (const motion of document.getAnimations()) motion.finish();
  };

  // Streamlit's messages, as in its proto files: the first byte of a BackMsg and the field of a
  // ForwardMsg say what it is. A run that was asked for begins with NEW_SESSION.
  const RERUN = 0x5a, NEW_SESSION = 4, SCRIPT_FINISHED = 6;
  let run = "none"; // "asked", "begun" or "none"
  function fieldOf(bytes) {
    let at = 0;
    const number = () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at];
        at += 1;
        value += (byte & 127) * 2 ** shift;
        if (byte < 128) return value;
      }
    };
    for (;;) {
      const field = Math.floor(number() / 8);
      if (field > 2) return field; // before it stand a hash and what is said about the message
      const length = number();
      at += length;
    }
  }
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (data[0] === RERUN) run = "asked";
    return send.call(this, data);
  };
  // The connection breaks, with what was on its way. That it is back is the page's to find out.
  let socket = null;
  globalThis.__connections = 0; // that there have been
  globalThis.__disconnect = () => {
    run = "none";
    socket.close();
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      socket = this;
      this.addEventListener("open", () => { globalThis.__connections += 1; });
      this.addEventListener("message", ({ data }) => {
        const field = fieldOf(new Uint8Array(data));
        if (field === NEW_SESSION) run = "begun";
        if (field === SCRIPT_FINISHED && run === "begun") run = "none";
      });
    }
  };

  const state = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
  const connection = () => document.querySelector('[data-testid="stApp"]')?.dataset.testConnectionState;
  const components = () => [...document.querySelectorAll('[data-testid^="stBidiComponent"]')];
  const drawn = ({ shadowRoot }) => shadowRoot?.querySelector(".glass[data-ready]");
  const missing = () => components().filter((one) => !drawn(one)).map((one) =>
    `${one.closest('[class*="st-key-"]')?.className.match(/st-key-\S+/)?.[0]} ${one.shadowRoot ? "begun" : "empty"}`);
  // A figure asks for itself, and what it draws may have to fetch its library; so does what stands
  // on a screen of a lesson.
  const within = (one) => [one, ...one.shadowRoot?.querySelectorAll(".body > div") ?? [],
    ...one.querySelectorAll(".lesson div")].map(({ shadowRoot }) => shadowRoot);
  const busy = () => components().flatMap(within).some((root) => root?.querySelector(".glass[aria-busy]"));
  // One that is set again and again is not waited for.
  const soon = (since) => [...timers.values()].some(({ set, wait }) =>
    wait > 0 && wait < SOON && set < since + SOON);
  let since = 0, quiet = 0;
  globalThis.__underWay = (again) => {
    if (!again) [since, quiet] = [now(), 0];
    const what = run !== "none" ? `a run was ${run}`
      : connection() !== "CONNECTED" ? `the connection is ${connection()}`
      : state() !== "notRunning" ? `the script is ${state()}`
        : !components().length ? "there is no component"
          : !components().every(drawn) ? `a component has not drawn: ${missing()}`
            : busy() ? "a figure waits for its answer"
              : soon(since) ? "a timer is set" : "";
    quiet = what ? 0 : quiet + 1;
    return what || (quiet < 3 ? "it has just come to rest" : "");
  };
  // Waits here for that, so that nobody asks over and over from outside; says what is not over.
  // What comes near is seen with a frame, which a busy machine draws late.
  const twoFrames = () => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
    setTimeout(done, SOON); // a tab that nobody looks at draws none
  });
  globalThis.__rested = async (limit) => {
    const began = clock();
    await twoFrames();
    let what = globalThis.__underWay(false);
    while (what && clock() < began + limit) {
      const before = clock();
      await new Promise((done) => { setTimeout(done, POLL); });
      if (clock() - before > 5 * POLL && before < began + PATIENCE) quiet = 0; // it was at work
      what = globalThis.__underWay(true);
      if (!what) {
        await twoFrames();
        what = globalThis.__underWay(true);
      }
    }
    return what;
  };
})();
