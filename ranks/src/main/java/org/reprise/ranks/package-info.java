/**
 * The embedded engine: ranks are virtual threads of one JVM, and what they ask of the machine under
 * them is a {@link org.reprise.ranks.fabric.Fabric}.
 */
@NullMarked
package org.reprise.ranks;

import org.jspecify.annotations.NullMarked;
