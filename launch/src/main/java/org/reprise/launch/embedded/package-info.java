/**
 * The engine of Reprise itself: records, replays, follows plans and enumerates with ranks that are
 * threads.
 */
@NullMarked
package org.reprise.launch.embedded;

import org.jspecify.annotations.NullMarked;
