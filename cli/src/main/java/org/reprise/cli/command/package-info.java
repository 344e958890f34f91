/** One class a command. */
@NullMarked
package org.reprise.cli.command;

import org.jspecify.annotations.NullMarked;
