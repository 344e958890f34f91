/** Checkpoints of ranks, and ranks that are restored from them and talk through a hub. */
@NullMarked
package org.reprise.debugger.restore;

import org.jspecify.annotations.NullMarked;
