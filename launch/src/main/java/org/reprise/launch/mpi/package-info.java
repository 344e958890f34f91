/**
 * The engine of a real MPI: records, replays and follows plans with processes and the interposer in
 * them.
 */
@NullMarked
package org.reprise.launch.mpi;

import org.jspecify.annotations.NullMarked;
