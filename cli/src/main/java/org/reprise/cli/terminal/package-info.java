/** Where commands write: the terminal, tables, progress, numbers and commands in words. */
@NullMarked
package org.reprise.cli.terminal;

import org.jspecify.annotations.NullMarked;
