package org.reprise.trace.order;

/**
 * An outcome and where it stands: its number, counted over all records of its file from 0, and the
 * byte offset of its record in the file.
 */
public record NumberedOutcome(long number, long offset, Outcome outcome) {}
