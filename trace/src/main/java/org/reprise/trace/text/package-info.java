/** Text in and out of a run: JSON, and what a terminal may show of a stranger's file. */
@NullMarked
package org.reprise.trace.text;

import org.jspecify.annotations.NullMarked;
