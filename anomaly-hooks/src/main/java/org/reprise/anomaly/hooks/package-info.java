/**
 * What instrumented code calls while the program under test runs. It lies on the boot class path,
 * depends on nothing, and does nothing until an agent installs a {@link Detector}.
 */
@NullMarked
package org.reprise.anomaly.hooks;

import org.jspecify.annotations.NullMarked;
