package org.reprise.anomaly.agent.detect.history;

/**
 * How a variable is accessed, apart from by whom: the site, what it does, and the locks held. The
 * same one for every block that executes it, so that histories hold its number.
 *
 * @param locks the number of the set of locks held
 */
public record Access(int site, Kind kind, int locks) {}
