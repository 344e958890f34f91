/** Java programs under the anomaly agent, and the reports that their virtual machines leave. */
@NullMarked
package org.reprise.launch.check;

import org.jspecify.annotations.NullMarked;
