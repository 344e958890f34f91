/** Ranks of a replay that are held at their calls: the job, and how it gets to a cut. */
@NullMarked
package org.reprise.debugger.hold;

import org.jspecify.annotations.NullMarked;
