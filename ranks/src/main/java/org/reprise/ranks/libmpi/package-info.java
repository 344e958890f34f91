/**
 * The second fabric: ranks that are processes of an MPI job, on the libmpi that started them,
 * through java.lang.foreign. Nothing is compiled and nothing but this package knows of native
 * memory.
 */
@NullMarked
package org.reprise.ranks.libmpi;

import org.jspecify.annotations.NullMarked;
