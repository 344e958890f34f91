@NullMarked
package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.NullMarked;
