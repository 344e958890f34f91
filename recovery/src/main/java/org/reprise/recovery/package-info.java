/**
 * From the event graph of a run to checkpoints: where to take them, which messages to log, from
 * where to start again to reach a distributed breakpoint, and how long that takes (Thoai and
 * Volkert 2003). Everything here is a function of the events: no files, clocks, threads or random
 * sources.
 */
@org.jspecify.annotations.NullMarked
package org.reprise.recovery;
