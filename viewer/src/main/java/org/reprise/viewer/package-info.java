/** A page on which a run can be looked at, and the local server that answers it. */
@NullMarked
package org.reprise.viewer;

import org.jspecify.annotations.NullMarked;
