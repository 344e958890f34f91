/** A gdb for each rank that is looked into, spoken to by its machine interface. */
@NullMarked
package org.reprise.debugger.gdb;

import org.jspecify.annotations.NullMarked;
