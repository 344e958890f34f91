/** Options that several commands share, and how users name runs, events and cuts. */
@NullMarked
package org.reprise.cli.option;

import org.jspecify.annotations.NullMarked;
