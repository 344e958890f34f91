/** What was found, and the verdict on it. */
@NullMarked
package org.reprise.anomaly.agent.report;

import org.jspecify.annotations.NullMarked;
