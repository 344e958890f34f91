/**
 * The colours of the picture, from the style sheet, so that light and dark are said in one place.
 *
 * @typedef {object} Theme
 * @property {string} ground
 * @property {string} raised
 * @property {string} line
 * @property {string} text
 * @property {string} soft
 * @property {string} accent
 * @property {string} race
 * @property {string} message
 * @property {string} stripe
 * @property {string} past
 * @property {string} future
 * @property {string} computing
 * @property {string[]} states
 */

const STATES = ["calling", "polling", "collective", "waiting", "receiving"];

/** @returns {Theme} */
export function currentTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: colour("ground"),
    raised: colour("raised"),
    line: colour("line"),
    text: colour("text"),
    soft: colour("soft"),
    accent: colour("accent"),
    race: colour("race"),
    message: colour("message"),
    stripe: colour("stripe"),
    past: colour("past"),
    future: colour("future"),
    computing: colour("state-computing"),
    states: STATES.map((state) => colour(`state-${state}`)),
  };
}

/**
 * @param {string} hex
 * @returns {[number, number, number]}
 */
export function channels(hex) {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Takes the user's choice, else what the system prefers. */
export function initTheme() {
  const chosen = remembered();
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export function toggleTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("reprise-theme", next);
  } catch {
    // A page opened from a file may not keep anything.
  }
}

function remembered() {
  try {
    return localStorage.getItem("reprise-theme");
  } catch {
    return null;
  }
}
