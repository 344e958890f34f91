/**
 * Races of a run that is under way: events go in as they become available, what races comes out,
 * and what is kept is bounded by what is in flight.
 */
@NullMarked
package org.reprise.causality.live;

import org.jspecify.annotations.NullMarked;
