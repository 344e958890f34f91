/**
 * What was found in a run, message races and anomalies alike, and how it is told: as text, as JSON,
 * as SARIF, as a page; and which findings the user does not want to see.
 */
@NullMarked
package org.reprise.findings;

import org.jspecify.annotations.NullMarked;
