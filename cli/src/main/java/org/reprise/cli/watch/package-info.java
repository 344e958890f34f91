/** What {@code reprise watch} and {@code reprise record --live} show of a run that goes on. */
@NullMarked
package org.reprise.cli.watch;

import org.jspecify.annotations.NullMarked;
