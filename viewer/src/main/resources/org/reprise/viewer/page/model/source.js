import { decode } from "./columns.js";

/**
 * Where answers about the run come from: the server that served the page, or, in a file that somebody mailed, the page
 * itself, which then has an element with all answers that it can give.
 */

/** @typedef {import("./columns.js").Table} Table */

/** @typedef {Record<string, string | number>} Fields */

/** The element that a self-contained page has. */
const BAKED = "baked-answers";

/**
 * @param {string} question
 * @param {Fields} fields
 */
export function address(question, fields) {
  const query = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  return query ? `api/${question}?${query}` : `api/${question}`;
}

/** @returns {Promise<Record<string, string> | null>} */
async function bakedAnswers() {
  const element = document.getElementById(BAKED);
  if (!element) return null;
  const bytes = Uint8Array.from(atob((element.textContent ?? "").trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** Answers to questions, each asked once. */
export class Source {
  /** @param {Record<string, string> | null} baked */
  constructor(baked) {
    this.baked = baked;
  }

  static async open() {
    return new Source(await bakedAnswers());
  }

  /** Whether the page answers for itself, and has no server. */
  get isAlone() {
    return this.baked !== null;
  }

  /**
   * @param {string} question
   * @param {Fields} [fields]
   * @returns {Promise<any>}
   */
  async json(question, fields = {}) {
    const where = address(question, fields);
    if (this.baked) {
      const found = this.baked[where];
      if (found === undefined) throw new Error("this file has no answer to that; open the run with reprise view");
      return JSON.parse(found);
    }
    const response = await fetch(where);
    if (!response.ok) throw new Error(`${response.status}: ${(await response.text()).trim()}`);
    return response.json();
  }

  /**
   * @param {string} question
   * @param {Fields} fields
   * @returns {Promise<Table>}
   */
  async table(question, fields) {
    const where = address(question, fields);
    if (this.baked) {
      const found = this.baked[where];
      if (found === undefined) throw new Error("this file has no answer to that; open the run with reprise view");
      const bytes = Uint8Array.from(atob(found), (letter) => letter.charCodeAt(0));
      return decode(bytes.buffer);
    }
    const response = await fetch(where);
    if (!response.ok) throw new Error(`${response.status}: ${(await response.text()).trim()}`);
    return decode(await response.arrayBuffer());
  }
}
