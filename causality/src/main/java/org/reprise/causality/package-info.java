/**
 * From the events of a run to the order among them, to what races, and to what a replay must force.
 * Everything here is a function of the events: no files, clocks, threads or random sources.
 */
@org.jspecify.annotations.NullMarked
package org.reprise.causality;
