// What a browser finds out about a network (pages/server/check.py): each check turns its row to one of
// the sentences that the server has put there, and fills in what was measured.

const PATIENCE = 8000; // ms
const TRIPS = 5;
const SOON = { trip: 150, figure: 600, load: 30 }; // ms, ms, and s for a class
const CLASS = 30;
const WORST = ["good", "fair", "bad"];
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const ASKS = JSON.parse(main.dataset.asks ?? "{}");
const written = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
const address = (path) => new URL(path, location.origin);

function show(row, state, numbers = {}) {
  row.dataset.state = state;
  for (const one of row.querySelectorAll("[data-when]")) {
    one.hidden = one.dataset.when !== state;
    for (const [name, value] of Object.entries(numbers)) {
      const said = typeof value === "number" ? written.format(value) : value;
      if (!one.hidden) one.textContent = one.textContent.replace(`{${name}}`, said);
    }
  }
  return state;
}

/** Ask for something as if it had never come, and say how long that took in ms. */
async function timed(path) {
  const began = performance.now();
  const answer = await fetch(address(path), { cache: "no-store", signal: AbortSignal.timeout(4 * PATIENCE) });
  if (!answer.ok) throw new Error(String(answer.status));
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { ms: performance.now() - began, bytes };
}

function socketAddress() {
  const there = address(ASKS.socket);
  there.protocol = there.protocol.replace("http", "ws");
  return there.href;
}

function socket() {
  return new Promise((done) => {
    const began = performance.now();
    const one = new WebSocket(socketAddress(), ["streamlit"]);
    const late = setTimeout(() => done(["bad"]), PATIENCE);
    const end = (found) => {
      clearTimeout(late);
      done(found);
      one.close();
    };
    one.onopen = () => end(["good", { ms: Math.round(performance.now() - began) }]);
    one.onerror = () => end(["bad"]);
  });
}

function kept(store) {
  try {
    const name = "glassformer.check";
    store().setItem(name, "1");
    const came = store().getItem(name) === "1";
    store().removeItem(name);
    return came;
  } catch {
    return false;
  }
}

function cookies() {
  document.cookie = "glassformer_check=1; SameSite=Lax";
  const came = document.cookie.includes("glassformer_check=1");
  document.cookie = "glassformer_check=; Max-Age=0; SameSite=Lax";
  return came;
}

function storage() {
  const blocked = Object.entries({
    localStorage: kept(() => localStorage), sessionStorage: kept(() => sessionStorage), cookies: cookies(),
  }).filter(([, came]) => !came).map(([name]) => name);
  return blocked.length ? ["fair", { what: blocked.join(", ") }] : ["good"];
}

async function trip() {
  const found = [];
  for (let n = 0; n < TRIPS; n += 1) found.push((await timed(ASKS.trip)).ms);
  const ms = Math.round(found.sort((a, b) => a - b)[TRIPS >> 1]);
  return [ms <= SOON.trip ? "good" : "fair", { ms }];
}

async function figure() {
  await timed(ASKS.figure); // the first one may have to be made
  const ms = Math.round((await timed(ASKS.figure)).ms);
  return [ms <= SOON.figure ? "good" : "fair", { ms }];
}

async function load() {
  const began = performance.now();
  const found = await Promise.all(ASKS.load.map(timed));
  const s = (performance.now() - began) / 1000;
  const mb = found.reduce((sum, one) => sum + one.bytes, 0) / 1e6;
  return [s * CLASS <= SOON.load ? "good" : "fair", { mb, s, class: Math.ceil(s * CLASS) }];
}

async function look() {
  for (const one of document.querySelectorAll("[data-fill]")) {
    const port = location.port || (location.protocol === "https:" ? "443" : "80");
    one.textContent = one.dataset.fill === "host" ? `${location.hostname}, ${port} (TCP)` : socketAddress();
  }
  const states = [];
  // One after the other: what is measured is the line, and not the others.
  for (const [name, check] of Object.entries({ socket, storage, trip, figure, load })) {
    const [state, numbers] = await Promise.resolve().then(check).catch(() => ["bad"]);
    states.push(show(document.querySelector(`[data-check="${name}"]`), state, numbers));
  }
  show(document.getElementById("verdict"), WORST[Math.max(...states.map((one) => WORST.indexOf(one)))]);
}

void look();
