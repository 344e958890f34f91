/** Jobs that are being recorded, stopped and looked into. */
@NullMarked
package org.reprise.debugger.attach;

import org.jspecify.annotations.NullMarked;
