/** Order files: outcomes of nondeterministic calls, read, written, and forced by plans. */
@NullMarked
package org.reprise.trace.order;

import org.jspecify.annotations.NullMarked;
