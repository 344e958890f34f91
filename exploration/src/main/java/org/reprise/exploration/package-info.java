/**
 * Other orders of a run. From the events of an execution to the outcomes that could have been
 * others, to the part of the execution that does not need them, and to the plans that are still to
 * be tried until every order of a program's messages has been seen. It runs nothing itself: both
 * engines only follow plans. Functions of traces: no files, no clocks, no threads.
 */
@NullMarked
package org.reprise.exploration;

import org.jspecify.annotations.NullMarked;
