/**
 * What the checker of Java programs found, and the verdict on it: the same classes and sentences
 * for the agent, which reports alone in the user's JVM, and for Reprise, which reads its report.
 */
@NullMarked
package org.reprise.anomaly.report;

import org.jspecify.annotations.NullMarked;
