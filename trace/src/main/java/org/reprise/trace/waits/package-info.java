/**
 * What a rank has sent and taken, and what it waits for: files by which a deadlock is recognised.
 */
@NullMarked
package org.reprise.trace.waits;

import org.jspecify.annotations.NullMarked;
