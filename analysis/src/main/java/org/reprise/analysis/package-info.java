/**
 * What follows from a recorded run: its events with their places in the source, its races by call
 * site, what may be claimed about other runs, and the least that a replay must force. Commands and
 * whatever else shows or explores runs stand on this.
 */
@NullMarked
package org.reprise.analysis;

import org.jspecify.annotations.NullMarked;
