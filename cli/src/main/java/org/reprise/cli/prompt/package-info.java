/**
 * The prompt of commands that look into ranks: where its lines come from, and how answers are
 * printed.
 */
@NullMarked
package org.reprise.cli.prompt;

import org.jspecify.annotations.NullMarked;
