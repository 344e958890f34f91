/** Tests that fail if their result depends on the schedule. */
@NullMarked
package org.reprise.anomaly.junit;

import org.jspecify.annotations.NullMarked;
