/** Ranks that are threads of a child JVM, looked into by the Java debug interface. */
@NullMarked
package org.reprise.debugger.jdi;

import org.jspecify.annotations.NullMarked;
