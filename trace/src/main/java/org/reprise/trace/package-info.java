/** A recorded run: where it lies, how its files are laid out, how they are read and written. */
@NullMarked
package org.reprise.trace;

import org.jspecify.annotations.NullMarked;
