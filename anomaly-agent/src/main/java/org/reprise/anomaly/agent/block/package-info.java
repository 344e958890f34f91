/**
 * Blocks and their order: which pieces of the execution come after which on every schedule. Pure
 * bookkeeping; nothing here knows threads, streams or pools.
 */
@NullMarked
package org.reprise.anomaly.agent.block;

import org.jspecify.annotations.NullMarked;
