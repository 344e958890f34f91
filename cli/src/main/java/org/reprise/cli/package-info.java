/** The command line. One class a command; {@link org.reprise.cli.Reprise} has the only main. */
@NullMarked
package org.reprise.cli;

import org.jspecify.annotations.NullMarked;
