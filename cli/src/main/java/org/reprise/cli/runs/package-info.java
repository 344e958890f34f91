/** Commands on the runs that are kept: which there are, what is in them, and for how long. */
@NullMarked
package org.reprise.cli.runs;

import org.jspecify.annotations.NullMarked;
