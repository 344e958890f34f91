/** Recording that nobody asks for: what stands before mpirun on the PATH, and what is kept. */
@NullMarked
package org.reprise.launch.always;

import org.jspecify.annotations.NullMarked;
