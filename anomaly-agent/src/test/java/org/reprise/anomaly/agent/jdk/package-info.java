@NullMarked
package org.reprise.anomaly.agent.jdk;

import org.jspecify.annotations.NullMarked;
