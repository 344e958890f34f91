/**
 * What a rank's calls leave and obey: rank files as the interposer writes them, signatures of
 * executions, and plans read back from recordings.
 */
@NullMarked
package org.reprise.ranks.journal;

import org.jspecify.annotations.NullMarked;
