import { element } from "../panels/dom.js";

/**
 * Tasks as lanes in SVG.
 *
 * @typedef {import("../layout/tasks.js").TaskPicture} TaskPicture
 * @typedef {import("../layout/tasks.js").Finding} Finding
 * @typedef {{from: number, to: number, width: number, labels: number, selected: number}} Sight
 */

export const ROW = 44;
const TOP = 14;
const BAR = 20;
const SPACE = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function shape(name, attributes, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {TaskPicture} picture
 * @param {Finding[]} findings
 * @param {Sight} sight
 * @param {(finding: number) => void} choose
 */
export function drawTasks(picture, findings, sight, choose) {
  const { from, to, width, labels, selected } = sight;
  const room = width - labels - 24;
  const x = (/** @type {number} */ column) => labels + 12 + ((column - from) / (to - from)) * room;
  const y = (/** @type {number} */ lane) => TOP + lane * ROW + ROW / 2;
  const height = 2 * TOP + picture.lanes.length * ROW;
  const svg = shape("svg", { class: "tasks", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
  const clip = shape("clipPath", { id: "moments" }, shape("rect", { x: labels, y: 0, width: Math.max(0, width - labels), height }));
  svg.append(shape("defs", {}, clip));
  const inside = shape("g", { "clip-path": "url(#moments)" });
  const involved = new Set(picture.marks.filter((mark) => mark.finding === selected).map((mark) => mark.lane));
  picture.lanes.forEach((lane, i) => {
    if (i % 2 === 1) svg.append(shape("rect", { class: "stripe", x: 0, y: y(i) - ROW / 2, width, height: ROW }));
    const name = shape("text", { class: `name${involved.has(i) ? " chosen" : ""}`, x: 12 + lane.depth * 14, y: y(i) + 4 }, shape("title", {}, lane.task.what));
    name.append(shortened(lane.task.what, (labels - 20 - lane.depth * 14) / 6.2));
    svg.append(name);
    const left = x(lane.start);
    const right = x(lane.end);
    inside.append(shape("rect", { class: `task${involved.has(i) ? " chosen" : ""}`, x: left, y: y(i) - BAR / 2, width: Math.max(2, right - left), height: BAR, rx: 4 }));
    if (lane.parent >= 0) {
      inside.append(shape("path", { class: "order", d: bend(x(lane.start - 0.5), y(lane.parent) + BAR / 2, left, y(i)) }));
      if (!lane.open) inside.append(shape("path", { class: "order", d: bend(x(lane.end + 0.5), y(lane.parent) + BAR / 2, right, y(i)) }));
      else inside.append(shape("path", { class: "order open", d: `M${right} ${y(i) - BAR / 2}l6 5l-6 5l6 5l-6 5` }));
    }
  });
  svg.append(inside);
  const chosen = picture.marks.filter((mark) => mark.finding === selected);
  if (chosen.length === 2) {
    const [a, b] = chosen.map((mark) => ({ x: x(mark.at), y: y(mark.lane) }));
    inside.append(shape("path", { class: "clash", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }));
    const words = findings[selected].ordered ? "the schedule chooses which comes first" : "nothing orders them";
    const beside = Math.min((a.x + b.x) / 2 + 14, width - 250);
    inside.append(shape("text", { class: "clash", x: beside, y: (a.y + b.y) / 2 + 4 }, words));
  }
  // The selected one last, so that no other covers it.
  for (const mark of [...picture.marks].sort((a, b) => Number(a.finding === selected) - Number(b.finding === selected))) {
    const finding = findings[mark.finding];
    const access = finding.accesses[mark.access];
    const isChosen = mark.finding === selected;
    const ring = shape("circle", { class: "access", cx: x(mark.at), cy: y(mark.lane), r: isChosen ? 10 : 8 });
    const letter = shape("text", { class: "letter", x: x(mark.at), y: y(mark.lane) + 4, "text-anchor": "middle" }, access.kind.charAt(0).toUpperCase());
    const group = shape("g", { class: `mark${isChosen ? " chosen" : ""}${finding.ordered ? " ordered" : ""}` }, shape("title", {}, `${finding.title}: ${access.kind} at ${access.place}`), ring, letter);
    group.addEventListener("click", () => choose(mark.finding));
    inside.append(group);
    if (isChosen) inside.append(shape("text", { class: "where", x: x(mark.at) + 16, y: y(mark.lane) + 4 }, `${access.kind} at ${access.place}`));
  }
  return svg;
}

/**
 * @param {string} text
 * @param {number} letters
 */
function shortened(text, letters) {
  return text.length <= letters ? text : `${text.slice(0, Math.max(4, Math.floor(letters) - 1))}…`;
}

/**
 * From one lane down into another.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} toX
 * @param {number} toY
 */
function bend(x, y, toX, toY) {
  return `M${x} ${y}V${toY - 8}Q${x} ${toY} ${(x + toX) / 2} ${toY}H${toX}`;
}

export function taskLegend() {
  const item = (/** @type {Element} */ picture, /** @type {string} */ words) => element("span", {}, picture, words);
  const box = element("i", {});
  box.style.background = "var(--state-computing)";
  const small = (/** @type {Element} */ inside) => shape("svg", { class: "tasks", viewBox: "0 0 22 16", "aria-hidden": "true" }, inside);
  return [
    item(box, "a task, from its fork to its join"),
    item(small(shape("g", { class: "mark" }, shape("circle", { class: "access", cx: 11, cy: 8, r: 6 }))), "an access that nothing orders with another"),
    item(small(shape("g", { class: "mark ordered" }, shape("circle", { class: "access", cx: 11, cy: 8, r: 6 }))), "one of which the schedule chooses which comes first"),
    item(small(shape("path", { class: "order open", d: "M8 1l6 4l-6 4l6 4" })), "not joined by who forked it"),
  ];
}

/** What the style sheet says of the parts of the picture. */
const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "paint-order", "font-size", "font-weight", "font-family"];

/**
 * The picture as a file of its own, which needs no style sheet.
 *
 * @param {SVGSVGElement} svg
 */
export function taskSvg(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const parts = [...copy.querySelectorAll("*")];
  [...svg.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(part);
    for (const name of LOOKS) parts[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", SPACE);
  copy.prepend(shape("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor }));
  return copy.outerHTML;
}
