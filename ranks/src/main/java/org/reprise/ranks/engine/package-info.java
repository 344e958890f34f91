/**
 * What stands under all ranks of a job: mailboxes, matching, waits, rounds of collectives,
 * deadlocks.
 */
@NullMarked
package org.reprise.ranks.engine;

import org.jspecify.annotations.NullMarked;
