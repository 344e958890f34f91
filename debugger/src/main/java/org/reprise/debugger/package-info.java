/** Stops the ranks of a recorded run where the user wants them, and looks into them. */
@NullMarked
package org.reprise.debugger;

import org.jspecify.annotations.NullMarked;
