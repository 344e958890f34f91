/** Events files and call sites: every MPI call of a rank, with its time and place. */
@NullMarked
package org.reprise.trace.events;

import org.jspecify.annotations.NullMarked;
