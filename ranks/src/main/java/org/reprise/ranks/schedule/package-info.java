/**
 * Who decides what happens next: ranks that run in parallel, or one at a time under a scheduler
 * that picks among the events that may happen.
 */
@NullMarked
package org.reprise.ranks.schedule;

import org.jspecify.annotations.NullMarked;
