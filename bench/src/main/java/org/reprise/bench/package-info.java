/** Measures what Reprise costs, against plain runs, and kills what it records. */
@NullMarked
package org.reprise.bench;

import org.jspecify.annotations.NullMarked;
