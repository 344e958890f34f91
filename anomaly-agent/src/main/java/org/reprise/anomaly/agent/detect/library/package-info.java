/** How objects of library classes behave as variables: collections, queues, locks, atomics. */
@NullMarked
package org.reprise.anomaly.agent.detect.library;

import org.jspecify.annotations.NullMarked;
