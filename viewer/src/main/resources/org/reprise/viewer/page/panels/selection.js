import { bytes, counted, duration } from "../layout/scale.js";
import { FORCED, RACING } from "../model/types.js";
import { command, element } from "./dom.js";
import { focus, follow, nextRace, step } from "./travel.js";

/**
 * What is known of the selected event.
 *
 * @typedef {import("../model/types.js").EventDetails} EventDetails
 * @typedef {import("../model/types.js").EventSummary} EventSummary
 * @typedef {import("../model/types.js").Race} Race
 * @typedef {import("../app.js").App} App
 */

/** Messages that a receive could have got are shown with their commands up to here. */
const CHOICES_MAX = 12;

/** Ranks that did not come to their end are named up to here. */
const ENDS_MAX = 8;

/**
 * An event in a few words: MPI_Recv from rank 2, tag 5.
 *
 * @param {{call: string, kind: string, peer?: number, tag?: number}} event
 */
export function words(event) {
  const sends = event.kind === "send" || event.kind === "post send";
  const collective = event.kind.endsWith("collective");
  const peer = event.peer === undefined ? "" : `${sends ? " to" : collective ? ", root" : " from"} rank ${event.peer}`;
  return event.call + peer + (event.tag === undefined ? "" : `, tag ${event.tag}`);
}

/**
 * @param {App} app
 * @param {EventSummary} event
 * @param {string} [text]
 */
export function eventLink(app, event, text) {
  return element("button", { type: "button", class: "link", onclick: () => app.select(event.name, true) }, text ?? event.name);
}

/**
 * @param {App} app
 * @param {EventDetails | null} event
 * @returns {Node[]}
 */
export function selectionPanel(app, event) {
  if (!event) return firstVisit(app);
  return [
    element("h2", {}, `${event.name} · ${words(event)}`),
    element("div", { class: "sides" }, facts(app, event), source(event), actions(app, event)),
  ];
}

/**
 * @param {App} app
 * @returns {Node[]}
 */
function firstVisit(app) {
  const { run } = app;
  return [
    element("h2", {}, "Nothing is selected"),
    element("p", {}, "Each lane is a rank, dark stretches are calls in which it waits, and curves are messages. Click a call, a curve or a ring."),
    run.races > 0
      ? element(
          "p",
          {},
          element("strong", { class: "race" }, `${counted(run.races, "receive")} could have got another message: `),
          element("button", { type: "button", onclick: () => nextRace(app, false) }, "go to the first race (n)"),
        )
      : element("p", {}, "No receive of this run could have got another message."),
    ...ended(app),
    ...run.notes.map((note) => element("p", { class: "soft" }, note)),
    element("h3", {}, "The run"),
    element("p", {}, element("code", {}, run.command)),
    command(run.replay, app.tell),
  ];
}

/**
 * How a run ended that did not end well, and the last event of each rank that ended early.
 *
 * @param {App} app
 */
function ended(app) {
  const { run } = app;
  const last = run.cutShort.slice(0, ENDS_MAX).map(({ rank }) => `${rank}:${run.sizes[rank] - 1}`);
  if (last.length === 0) return [];
  const links = last.flatMap((name, i) => [i === 0 ? "" : ", ", element("button", { type: "button", class: "link", onclick: () => app.select(name, true) }, name)]);
  return [
    element(
      "p",
      {},
      element("strong", {}, `The command ${run.ending}.`),
      ` ${counted(run.cutShort.length, "rank")} did not come to MPI_Finalize; last: `,
      ...links,
      run.cutShort.length > last.length ? ", …" : "",
    ),
  ];
}

/**
 * @param {App} app
 * @param {EventDetails} event
 */
function facts(app, event) {
  const list = element("dl", { class: "facts" });
  const add = (/** @type {string} */ name, /** @type {Node | string} */ value) =>
    list.append(element("dt", {}, name), element("dd", {}, value));
  add("rank", `${event.rank}, its call ${event.number}`);
  add("kind", event.kind + (event.flags.length ? ` (${event.flags.join(", ")})` : ""));
  add("at", `${duration(event.start)}, for ${duration(event.end - event.start)}`);
  if (event.kind !== "polls") add("size", bytes(event.bytes));
  else add("failed", counted(event.bytes, "poll"));
  if (event.communicator) {
    const { world, size, members, id, remote } = event.communicator;
    const list = members.length < size ? `${members.slice(0, 12).join(", ")}, …` : members.join(", ");
    add("communicator", world ? `all ${size} ranks` : `${id}: ranks ${list}${remote ? ` with ${remote.join(", ")}` : ""}`);
  }
  if (event.link) add(event.kind.startsWith("post") ? "completed by" : "belongs to", eventLink(app, event.link, `${event.link.name} ${event.link.call}`));
  if (event.message) {
    const { send, receive, arrival } = event.message;
    if (send.event !== event.event) add("sent by", eventLink(app, send, `${send.name} ${send.call}`));
    const got = arrival ?? receive;
    if (!receive) add("received by", "nobody");
    else if (got && got.event !== event.event && receive.event !== event.event) add("received by", eventLink(app, got, `${got.name} ${got.call}`));
  }
  if (event.collective) add("members", counted(event.members ?? 0, "rank"));
  if ((event.marks & RACING) !== 0) add("races", (event.marks & FORCED) !== 0 ? "yes, and a replay must force it" : "yes");
  return element("div", {}, list, navigation(app, event));
}

/**
 * @param {App} app
 * @param {EventDetails} event
 */
function navigation(app, event) {
  const button = (/** @type {string} */ text, /** @type {() => void} */ act, pressed = false) =>
    element("button", { type: "button", onclick: act, "aria-pressed": String(pressed) }, text);
  const { cone, cut } = app.view;
  return element(
    "div",
    { class: "row" },
    element("button", { type: "button", onclick: () => step(app, -1) }, "◂ previous ,"),
    element("button", { type: "button", onclick: () => step(app, 1) }, "next . ▸"),
    event.message ? element("button", { type: "button", onclick: () => follow(app, event.message?.send.event === event.event ? 1 : -1) }, "follow message [ ]") : null,
    button("past", () => app.showCone(cone === "past" ? "none" : "past"), cone === "past" || cone === "both"),
    button("future", () => app.showCone(cone === "future" ? "none" : "future"), cone === "future" || cone === "both"),
    button("cut", () => app.showCut(!cut), cut),
    element("button", { type: "button", onclick: () => focus(app) }, "focus F"),
  );
}

/** @param {EventDetails} event */
function source(event) {
  const box = element("div", {});
  if (event.stack.length === 0) {
    box.append(element("p", { class: "soft" }, "Its place in the source is not known: compile with -g."));
    return box;
  }
  box.append(element("h3", {}, event.stack[0]));
  if (event.source) box.append(excerpt(event.source));
  else box.append(element("p", { class: "soft" }, "The file cannot be read here."));
  if (event.stack.length > 1) {
    box.append(element("p", { class: "soft" }, ...event.stack.slice(1).flatMap((place) => [`by ${place}`, element("br")])));
  }
  return box;
}

/** @param {import("../model/types.js").SourceExcerpt} source */
function excerpt(source) {
  return element(
    "pre",
    { class: "source", tabindex: 0, "aria-label": `${source.file}, line ${source.line}` },
    ...source.lines.map((text, i) =>
      element(
        "span",
        { class: source.first + i === source.line ? "here" : "" },
        element("span", { class: "number" }, String(source.first + i)),
        text,
      ),
    ),
  );
}

/**
 * @param {App} app
 * @param {EventDetails} event
 */
function actions(app, event) {
  const box = element("div", {});
  if (event.race) box.append(raced(app, event, event.race));
  const run = app.run.replay.replace("reprise replay ", "");
  if (app.run.debuggable) {
    box.append(element("h3", {}, "Replay to it: all ranks stop right before it"), command(`reprise debug ${run} -e 'goto ${event.name}'`, app.tell));
  }
  box.append(element("h3", {}, app.run.debuggable ? "Replay all of it" : "Replay it"), command(app.run.replay, app.tell));
  if (event.cut && app.run.ranks <= 64) {
    box.append(element("h3", {}, "Everything that led to it, and no more"), command(`reprise graph ${run} --cut ${event.cut}`, app.tell));
  }
  return box;
}

/**
 * @param {App} app
 * @param {EventDetails} event
 * @param {Race} race
 */
function raced(app, event, race) {
  const took = event.message?.send;
  const box = element(
    "div",
    { class: "raced" },
    element("h3", {}, `This ${race.racing.kind.includes("probe") ? "probe" : "receive"} raced`),
    took ? element("p", {}, "It got the message of ", eventLink(app, took, `rank ${took.rank}`), took.place ? ` from ${took.place}.` : ".") : null,
    element("p", {}, race.count === 1 ? "It could have got another one:" : `It could have got one of ${race.count} others:`),
  );
  for (const { send, went, command: text } of race.alternatives.slice(0, CHOICES_MAX)) {
    box.append(
      element(
        "div",
        { class: "choice" },
        element(
          "p",
          {},
          "that of ",
          eventLink(app, send, `rank ${send.rank}`),
          ` (${send.name}${send.tag === undefined ? "" : `, tag ${send.tag}`}, ${bytes(send.bytes)})`,
          send.place ? ` from ${send.place}` : "",
          went ? ", which went to " : ", which nobody received",
          went ? eventLink(app, went, went.name) : null,
        ),
        command(text, app.tell),
      ),
    );
  }
  const others = race.alternatives.slice(CHOICES_MAX);
  if (others.length > 0) {
    box.append(
      element(
        "details",
        {},
        element("summary", {}, `and ${race.count - CHOICES_MAX} more`),
        ...others.flatMap(({ send }) => [eventLink(app, send), " "]),
        race.count > race.alternatives.length ? `… (${race.count - race.alternatives.length} are not listed)` : "",
      ),
    );
  }
  box.append(element("p", { class: "soft" }, race.forced ? "A replay must force what it gets." : "A replay need not force it: it follows from what others are forced to."));
  return box;
}
