/** What a method's instructions compute, and in which order: graph, dominators, loops, values. */
@NullMarked
package org.reprise.anomaly.agent.instrument.flow;

import org.jspecify.annotations.NullMarked;
