/**
 * The format of rank files: header and records, as {@code interposer/include/reprise_wire.h} has
 * them, and how files of a run are opened and kept private.
 */
@NullMarked
package org.reprise.trace.file;

import org.jspecify.annotations.NullMarked;
