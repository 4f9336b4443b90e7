// A question to the server, asked over and over with other addresses: the last one counts. One that
// nobody answers is asked again, soon and when the network is back.

const AGAIN = 2000; // ms
const REFUSED = "application/problem+json"; // an answer that says why there is nothing
const LONGEST = 8000; // characters of an address that every server on the way takes

// What is too long for an address goes into the body.
function asked(address, posts, signal) {
  if (!posts && address.length <= LONGEST) return /** @type {const} */ ([address, { signal }]);
  const [path, query] = address.split("?");
  return /** @type {const} */ ([path, { method: "POST", body: new URLSearchParams(query), signal }]);
}

/**
 * What is said in place of an answer; what answers for the app does it in plain words, and offers nothing.
 * @param {string} told
 * @returns {{ said: string, controls?: any[] }}
 */
export function refusal(told) {
  try {
    return JSON.parse(told);
  } catch {
    return { said: told };
  }
}

/** One that is asked over and over. */
export class Question {
  #asked = ""; // the address that was asked last
  #posts = false;
  /** @type {AbortController | null} */
  #under_way = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #back = () => this.again();

  /**
   * @param {(bytes: Uint8Array, headers: Headers) => Promise<void> | void} answered
   * @param {(words: string, headers: Headers) => void} [refused] with why
   * @param {() => void} [lost] no answer came
   * @param {() => void} [over] all has been done that it led to
   */
  constructor(answered, refused = () => {}, lost = () => {}, over = () => {}) {
    this.answered = answered;
    this.refused = refused;
    this.lost = lost;
    this.over = over;
    globalThis.addEventListener("online", this.#back);
  }

  /** @returns {boolean} whether an answer is waited for */
  get open() {
    return this.#under_way !== null;
  }

  /**
   * Ask, unless that was asked last.
   * @param {string} address
   * @param {{ posts?: boolean }} [how] what it says goes into the body, however short it is
   */
  async ask(address, { posts = false } = {}) {
    if (address === this.#asked) return;
    this.give();
    this.#asked = address;
    this.#posts = posts;
    const mine = this.#under_way = new AbortController();
    const told = await this.#answer(address, mine.signal);
    if (this.#under_way !== mine) return;
    if (told === null) {
      this.lost();
      this.#timer = setTimeout(this.#back, AGAIN);
      return; // it is still waited for
    }
    if (typeof told.body === "string") this.refused(told.body, told.headers);
    else await this.answered(told.body, told.headers);
    if (this.#under_way !== mine) return;
    this.#under_way = null;
    this.over();
  }

  // The bytes, or why there are none, with what is said of them; null where nobody answers.
  async #answer(address, signal) {
    try {
      const answer = await fetch(...asked(address, this.#posts, signal));
      if (answer.status === 429 || answer.status >= 500) return null;
      const why = !answer.ok || answer.headers.get("content-type") === REFUSED;
      const body = why ? await answer.text() : new Uint8Array(await answer.arrayBuffer());
      return { body, headers: answer.headers };
    } catch {
      return null; // not reached, or given up
    }
  }

  /** Ask the same once more. */
  again() {
    const address = this.#asked;
    this.#asked = "";
    if (address) this.ask(address, { posts: this.#posts });
  }

  /**
   * Give the last question up.
   * @returns {boolean} whether one had been asked
   */
  give() {
    const had = Boolean(this.#asked);
    this.#asked = "";
    this.#under_way?.abort();
    this.#under_way = null;
    clearTimeout(this.#timer);
    return had;
  }

  /** It is asked no more. */
  end() {
    this.give();
    globalThis.removeEventListener("online", this.#back);
  }
}
