/** Manual pages and completion for shells, made from the model of the commands. */
@NullMarked
package org.reprise.cli.manual;

import org.jspecify.annotations.NullMarked;
