/**
 * What an engine is asked for and what comes of it: requests, permission, the description of a run
 * from its beginning to its end.
 */
@NullMarked
package org.reprise.launch.run;

import org.jspecify.annotations.NullMarked;
