/** Ranks that a debugger holds, as they see it. */
@NullMarked
package org.reprise.ranks.hold;

import org.jspecify.annotations.NullMarked;
