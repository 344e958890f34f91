/** Lines and stacks of call sites, by the debugging information of a program. */
@NullMarked
package org.reprise.launch.source;

import org.jspecify.annotations.NullMarked;
