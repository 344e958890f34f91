/** Starts the ranks of a program, with the interposer in them, and collects what they leave. */
@NullMarked
package org.reprise.launch;

import org.jspecify.annotations.NullMarked;
