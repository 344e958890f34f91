/** Clocks and random sources of ranks: the machine's, seeded, recorded or replayed. */
@NullMarked
package org.reprise.ranks.inputs;

import org.jspecify.annotations.NullMarked;
