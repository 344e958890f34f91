/** What was found in a run, and how it is told: as text, as JSON, as SARIF, as a page. */
@NullMarked
package org.reprise.findings;

import org.jspecify.annotations.NullMarked;
