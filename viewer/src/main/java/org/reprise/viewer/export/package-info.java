/** A run in the formats of other tools, and as pictures. */
@NullMarked
package org.reprise.viewer.export;

import org.jspecify.annotations.NullMarked;
