/**
 * Which receives could have taken another message, where, and which of them a replay must force.
 */
@NullMarked
package org.reprise.causality.races;

import org.jspecify.annotations.NullMarked;
