/** What the page asks about a run, answered. */
@NullMarked
package org.reprise.viewer.answer;

import org.jspecify.annotations.NullMarked;
