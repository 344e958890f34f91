/**
 * Records and replays the programs in {@code examples/} with every MPI, as a user would: each
 * command is a process of its own. What is claimed stands in the names of the tests.
 */
@NullMarked
package org.reprise.conformance;

import org.jspecify.annotations.NullMarked;
