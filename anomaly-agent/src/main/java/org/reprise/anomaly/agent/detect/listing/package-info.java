/** Arrays of indices that nobody writes any more, and the ways of loops through them. */
@NullMarked
package org.reprise.anomaly.agent.detect.listing;

import org.jspecify.annotations.NullMarked;
