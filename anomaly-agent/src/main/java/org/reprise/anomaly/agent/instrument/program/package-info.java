/** What is known of the program's classes and methods before they are rewritten. */
@NullMarked
package org.reprise.anomaly.agent.instrument.program;

import org.jspecify.annotations.NullMarked;
