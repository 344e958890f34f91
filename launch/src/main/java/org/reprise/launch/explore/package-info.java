/** Runs the plans of an exploration on an engine, and says what their executions came to. */
@NullMarked
package org.reprise.launch.explore;

import org.jspecify.annotations.NullMarked;
