/** Source-level debuggers of ranks, whatever looks into them. */
@NullMarked
package org.reprise.debugger.source;

import org.jspecify.annotations.NullMarked;
