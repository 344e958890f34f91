/**
 * What commands print: events, graphs, runs, enumerations and failures, for people and for scripts.
 */
@NullMarked
package org.reprise.cli.report;

import org.jspecify.annotations.NullMarked;
