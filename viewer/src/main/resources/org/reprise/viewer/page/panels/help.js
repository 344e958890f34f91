import { element } from "./dom.js";

/** @type {Array<[string, string]>} */
const KEYS = [
  ["W S", "zoom in and out; so does the wheel"],
  ["A D", "left and right; so do dragging and Shift with the wheel"],
  ["↑ ↓", "scroll the lanes; so does Alt with the wheel"],
  ["0", "the whole run"],
  ["F", "zoom to the selected event"],
  [". ,", "next and previous event of the rank"],
  ["[ ]", "to the send and to the receive of the message"],
  ["n N", "next and previous race"],
  ["O", "time or logical order"],
  ["C", "causal past, future, both, none of the selected event"],
  ["X", "the consistent cut through the selected event"],
  ["B", "draw a cut through the selected event; Shift and drag draws one by hand, Shift B removes it"],
  ["R", "ranks by number, by communicator, by behaviour"],
  ["H U", "hide the selected rank; show all again"],
  ["P", "pin the selected rank to the top"],
  ["J K", "move the selected rank down and up"],
  ["G", "open or close a group of ranks"],
  ["/", "search"],
  ["E", "the events in sight as a table"],
  ["T", "light or dark"],
  ["Esc", "select nothing"],
  ["?", "this help"],
];

/** @param {HTMLDialogElement} dialog */
export function fillHelp(dialog) {
  dialog.replaceChildren(
    element("h2", { id: "help-title" }, "What can be done here"),
    element("p", {}, "Click a call, a message or a ring to see what it was, where it is in the source, and what else could have come. The address of the page holds the view: keep it, or go back."),
    element(
      "dl",
      {},
      ...KEYS.flatMap(([keys, what]) => [
        element("dt", {}, ...keys.split(" ").flatMap((key) => [element("kbd", {}, key), " "])),
        element("dd", {}, what),
      ]),
    ),
    element("p", {}, "Curves are messages: one in the colour of races was taken by a receive that could have got another, one with a hollow head was never received, and a blue one arrives before it was sent, by clocks that could not be brought together."),
    element("p", {}, "Search: words of a call or a source line, racing, forced, unreceived, wildcard, rank:2, peer:3, tag:5, size>1k, longer>1ms, late-sender, late-receiver, critical, hits. All must hold."),
    element("form", { method: "dialog" }, element("button", { autofocus: true }, "close")),
  );
}
