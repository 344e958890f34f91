/** A run as one file, to send to somebody else; and back. */
@NullMarked
package org.reprise.trace.pack;

import org.jspecify.annotations.NullMarked;
