/** What can be said of a run while it goes on, from the files that its ranks write. */
@NullMarked
package org.reprise.analysis.live;

import org.jspecify.annotations.NullMarked;
