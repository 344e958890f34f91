@NullMarked
package org.reprise.anomaly.agent.instrument.flow;

import org.jspecify.annotations.NullMarked;
