/**
 * The agent that runs inside the program under test: it instruments classes while they are loaded,
 * keeps track of blocks and their order, and detects accesses that no order protects (Hood, Kennedy
 * and Mellor-Crummey 1990).
 */
@NullMarked
package org.reprise.anomaly.agent;

import org.jspecify.annotations.NullMarked;
