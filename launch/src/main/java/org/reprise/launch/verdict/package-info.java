/**
 * What a replay did, compared with the recording: the judgement, its words, replays that are stuck,
 * and what a recording does not hold.
 */
@NullMarked
package org.reprise.launch.verdict;

import org.jspecify.annotations.NullMarked;
