/** Java programs under the debugger, in a JVM of their own. */
@NullMarked
package org.reprise.cli.held;

import org.jspecify.annotations.NullMarked;
