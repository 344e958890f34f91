/**
 * What a rank can ask of the machine under it: contiguous payloads, ranks of communicators,
 * matching by source and tag. The interface that Java's MPI stands on.
 */
@NullMarked
package org.reprise.ranks.fabric;

import org.jspecify.annotations.NullMarked;
