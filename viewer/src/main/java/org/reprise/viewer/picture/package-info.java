/** Where calls, messages and races of a run stand in its picture, and tiles of it. */
@NullMarked
package org.reprise.viewer.picture;

import org.jspecify.annotations.NullMarked;
