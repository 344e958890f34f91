/** Who waits for whom among the ranks of a job, and whether anybody can go on: pure. */
@NullMarked
package org.reprise.launch.deadlock;

import org.jspecify.annotations.NullMarked;
