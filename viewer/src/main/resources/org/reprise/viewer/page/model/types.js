/**
 * What the page and the server call things.
 *
 * @typedef {"time" | "order"} AxisKind
 *
 * @typedef {object} AxisExtent
 * @property {number} length behind the last return
 * @property {number} shift the whole axis is one tile of 2 to this
 *
 * @typedef {object} Run
 * @property {string} name
 * @property {string} command
 * @property {string} replay
 * @property {boolean} debuggable whether reprise debug can hold its ranks
 * @property {number} ranks
 * @property {number} events
 * @property {number} messages
 * @property {number} races
 * @property {number} forced
 * @property {number} hosts
 * @property {number} clocksFitted
 * @property {{time: AxisExtent, order: AxisExtent}} axes
 * @property {string[]} calls
 * @property {string[]} states
 * @property {string} ending of the command, in words to stand behind it
 * @property {Array<{rank: number, time: number, order: number}>} cutShort ranks that did not come to their end, and where they end
 * @property {number[]} sizes
 * @property {string[]} notes
 * @property {Array<{original: boolean, event: EventSummary}>} differences from the run that it is compared with
 *
 * @typedef {object} EventSummary
 * @property {number} event
 * @property {number} rank
 * @property {number} number
 * @property {string} name rank and number: 2:17
 * @property {string} call
 * @property {string} kind
 * @property {string} state
 * @property {number} [peer]
 * @property {number} [tag]
 * @property {number} bytes
 * @property {number} start
 * @property {number} end
 * @property {number} orderStart
 * @property {number} orderEnd
 * @property {number} marks
 * @property {string} [place]
 *
 * @typedef {object} SourceExcerpt
 * @property {string} file
 * @property {number} first
 * @property {number} line
 * @property {string[]} lines
 *
 * @typedef {object} Alternative
 * @property {EventSummary} send
 * @property {EventSummary} [went]
 * @property {EventSummary} [arrival]
 * @property {string} command
 *
 * @typedef {object} Race
 * @property {EventSummary} racing
 * @property {number} count
 * @property {boolean} forced
 * @property {Alternative[]} alternatives
 *
 * @typedef {EventSummary & {
 *   flags: string[],
 *   communicator?: {id: string, size: number, world: boolean, members: number[], remote?: number[]},
 *   stack: string[],
 *   source?: SourceExcerpt,
 *   link?: EventSummary,
 *   message?: {send: EventSummary, receive?: EventSummary, arrival?: EventSummary},
 *   race?: Race,
 *   members?: number,
 *   collective?: string[],
 *   cut: string,
 * }} EventDetails
 *
 * @typedef {{text: string, time: number[], order: number[]}} Cut in words, and by axis and rank where it is
 *
 * @typedef {object} HandCut
 * @property {boolean} consistent
 * @property {Cut} cut
 * @property {number} [underWay]
 * @property {number} [crossingCount]
 * @property {Array<{awaited: EventSummary, returned: EventSummary}>} [crossings]
 * @property {Cut} [within]
 * @property {Cut} [around]
 *
 * @typedef {{name: string, ranks: number[]}} RankGroup
 *
 * @typedef {object} Cone
 * @property {string} event
 * @property {string} cut
 * @property {number[]} pastCalls
 * @property {number[]} futureCalls
 * @property {{past: number[], future: number[]}} time
 * @property {{past: number[], future: number[]}} order
 */

/** What an event is, as bits of its marks. */
export const RACING = 1;
export const FORCED = 2;
export const UNCERTAIN = 4;
/** The call at which a racing receive got its message. */
export const RACE_HERE = 8;

/** What a message is, as bits of its marks. */
export const MESSAGE_RACING = 1;
export const UNRECEIVED = 2;
export const BACKWARDS = 4;
