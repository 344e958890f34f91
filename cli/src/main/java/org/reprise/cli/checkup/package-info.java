/** The machine as {@code doctor} sees it: tools, MPIs, packages. */
@NullMarked
package org.reprise.cli.checkup;

import org.jspecify.annotations.NullMarked;
