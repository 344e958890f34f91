package org.reprise.trace.file;

/**
 * The note a rank leaves in its header when it does something else than the recording did. The
 * operands of the recorded outcome are source and tag, or an index; what was found is what the
 * program asked for: source and tag, or a number of requests.
 */
public record Divergence(
    Wire.DivergenceKind what,
    int call,
    long outcome,
    long callNumber,
    long nanos,
    Wire.Kind expectedKind,
    long expectedFirst,
    long expectedSecond,
    long foundFirst,
    long foundSecond) {}
