/**
 * Processes and what they are started from: a command line taken apart, its environment, its
 * standard input, signals, and scratch directories.
 */
@NullMarked
package org.reprise.launch.process;

import org.jspecify.annotations.NullMarked;
