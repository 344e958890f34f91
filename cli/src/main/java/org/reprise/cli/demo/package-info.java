/** The two demonstrations, with an MPI and without. */
@NullMarked
package org.reprise.cli.demo;

import org.jspecify.annotations.NullMarked;
