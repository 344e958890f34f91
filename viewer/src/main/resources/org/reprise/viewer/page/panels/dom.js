/**
 * Elements without a template language: text is always text.
 *
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | ((event: any) => void)>} [attributes] listeners begin with on
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/**
 * A command with a button that copies it.
 *
 * @param {string} text
 * @param {(message: string) => void} tell
 */
export function command(text, tell) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell(`copied: ${text}`);
    } catch {
      tell("the browser does not let this page copy; select the text instead");
    }
  };
  return element(
    "div",
    { class: "command" },
    element("code", {}, text),
    element("button", { type: "button", onclick: copy, "aria-label": `Copy ${text}` }, "copy"),
  );
}

/**
 * @param {string[]} heads those that begin with # are of numbers
 * @param {string} caption
 * @param {HTMLTableRowElement[]} rows
 */
export function table(heads, caption, rows) {
  return element(
    "table",
    {},
    element("caption", {}, caption),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...heads.map((head) =>
          element("th", { scope: "col", class: head.startsWith("#") ? "number" : "" }, head.replace(/^#/, "")),
        ),
      ),
    ),
    element("tbody", {}, ...rows),
  );
}

/** @param {...Child} cells text that begins with # is a number */
export function row(...cells) {
  return element(
    "tr",
    {},
    ...cells.map((cell) => {
      const number = typeof cell === "string" && cell.startsWith("#");
      return element("td", { class: number ? "number" : "" }, number ? String(cell).slice(1) : cell);
    }),
  );
}

/**
 * Hands a file to the user.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
