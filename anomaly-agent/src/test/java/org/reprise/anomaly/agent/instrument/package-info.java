@NullMarked
package org.reprise.anomaly.agent.instrument;

import org.jspecify.annotations.NullMarked;
