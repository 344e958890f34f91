/**
 * The MPI calls of one rank, from the check of their arguments to what they leave in the journal.
 */
@NullMarked
package org.reprise.ranks.calls;

import org.jspecify.annotations.NullMarked;
