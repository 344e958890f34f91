/**
 * Java programs as ranks: from the words of a command to a rank's first instruction. What a process
 * would have to itself (static fields, standard streams, clocks, an exit status) each rank has
 * here, though all of them share one JVM.
 */
@NullMarked
package org.reprise.ranks.host;

import org.jspecify.annotations.NullMarked;
