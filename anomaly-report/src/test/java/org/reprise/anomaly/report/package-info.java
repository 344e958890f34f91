@NullMarked
package org.reprise.anomaly.report;

import org.jspecify.annotations.NullMarked;
