package org.reprise.findings;

/**
 * A kind of finding.
 *
 * @param id short and lasting, for machines: {@code message-race}
 * @param name for people: {@code message race}
 * @param meaning what it says about a program, in a sentence
 */
public record Rule(String id, String name, String meaning) {}
