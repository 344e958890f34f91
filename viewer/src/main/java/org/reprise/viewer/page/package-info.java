/** The page of a run: served to this machine, or as one file. */
@NullMarked
package org.reprise.viewer.page;

import org.jspecify.annotations.NullMarked;
