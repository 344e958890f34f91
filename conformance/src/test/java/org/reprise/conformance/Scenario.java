package org.reprise.conformance;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One scenario of the conformance program, as {@code conformance --list} tells it.
 *
 * @param racesFrom the number of ranks from which on its hash differs between plain runs
 */
record Scenario(String name, boolean races, int racesFrom) {
  private static final Pattern LINE = Pattern.compile("(\\w+) +(RACES|STEADY) +(\\d+) .*");
  private static final Pattern HASH = Pattern.compile("(\\w+) ([0-9a-f]{16})");

  static List<Scenario> listed(String list) {
    return list.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(
            m -> new Scenario(m.group(1), m.group(2).equals("RACES"), Integer.parseInt(m.group(3))))
        .toList();
  }

  /** The hashes in the output of a run, by scenario. */
  static Map<String, String> hashes(String output) {
    Map<String, String> hashes = new LinkedHashMap<>();
    output
        .lines()
        .map(HASH::matcher)
        .filter(Matcher::matches)
        .forEach(m -> hashes.put(m.group(1), m.group(2)));
    return hashes;
  }
}
