/** Instructions: those that access variables, and those that call the hooks. */
@NullMarked
package org.reprise.anomaly.agent.instrument.code;

import org.jspecify.annotations.NullMarked;
