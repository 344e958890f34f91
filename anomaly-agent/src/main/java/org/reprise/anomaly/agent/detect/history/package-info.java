/** What blocks did to one variable, a field, an element or an object, and which of it conflicts. */
@NullMarked
package org.reprise.anomaly.agent.detect.history;

import org.jspecify.annotations.NullMarked;
