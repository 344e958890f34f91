/**
 * The MPI at hand and the library for it: the search for an MPI, the build of the interposer and
 * its cache, and the table of calls that the interposer knows.
 */
@NullMarked
package org.reprise.launch.interposer;

import org.jspecify.annotations.NullMarked;
