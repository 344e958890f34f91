/** Events, graphs and races of a run, for the commands that show them. */
@NullMarked
package org.reprise.cli.analysis;

import org.jspecify.annotations.NullMarked;
