/**
 * The detector: which accesses met which, and whether an order protects them. Access histories of
 * fields, arrays and library objects, locks, and the findings.
 */
@NullMarked
package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.NullMarked;
