/**
 * The run directory: its description, its seal, the store of runs, summaries, differences, and
 * plans as directories.
 */
@NullMarked
package org.reprise.trace.run;

import org.jspecify.annotations.NullMarked;
