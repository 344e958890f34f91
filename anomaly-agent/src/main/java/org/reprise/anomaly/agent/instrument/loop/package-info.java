/** Accesses in loops: reported as ranges, once a loop. */
@NullMarked
package org.reprise.anomaly.agent.instrument.loop;

import org.jspecify.annotations.NullMarked;
