@NullMarked
package org.reprise.anomaly.agent.report;

import org.jspecify.annotations.NullMarked;
