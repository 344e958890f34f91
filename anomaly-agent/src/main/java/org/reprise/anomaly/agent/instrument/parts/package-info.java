/** Methods that access no more than one part of each array that they are given. */
@NullMarked
package org.reprise.anomaly.agent.instrument.parts;

import org.jspecify.annotations.NullMarked;
