/** Numbers in columns: how a run of a hundred million events fits into memory. */
@NullMarked
package org.reprise.causality.columns;

import org.jspecify.annotations.NullMarked;
