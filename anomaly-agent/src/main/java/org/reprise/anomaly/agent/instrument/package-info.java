/** From a class file to one that reports its accesses: what is checked, and how. */
@NullMarked
package org.reprise.anomaly.agent.instrument;

import org.jspecify.annotations.NullMarked;
