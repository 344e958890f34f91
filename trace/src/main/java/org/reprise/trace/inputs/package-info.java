/** Inputs files: what ranks read from clocks and random sources. */
@NullMarked
package org.reprise.trace.inputs;

import org.jspecify.annotations.NullMarked;
