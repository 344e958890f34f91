package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventFlag;

/**
 * An order that is prescribed by rules. Each rule leaves some of the messages that a receive could
 * take, in the order in which they are written, until one is left; of several that are left, the
 * receive takes the one that came, if it is among them.
 */
public final class OrderRules implements Steering.Guide {
  private static final Pattern SCOPE = Pattern.compile("(rank|tag) (\\d{1,9}) ?: ?");
  private static final Pattern NEVER =
      Pattern.compile("never rank (\\d{1,9}) before rank (\\d{1,9})");
  private static final Pattern FIRST = Pattern.compile("rank (\\d{1,9}) (first|last)");

  /** What a rule leaves of messages. */
  private interface Preference {
    List<Integer> best(EventGraph graph, List<Integer> messages);
  }

  /**
   * One rule.
   *
   * @param receiver whose receives it is for; all if empty
   * @param tag of the messages that it is for; all if empty
   */
  private record Rule(String text, OptionalInt receiver, OptionalInt tag, Preference preference) {
    List<Integer> leave(EventGraph graph, int receive, List<Integer> messages) {
      EventTable events = graph.events();
      if (receiver.isPresent() && events.rank(receive) != receiver.getAsInt()) {
        return messages;
      }
      List<Integer> meant =
          messages.stream()
              .filter(each -> tag.isEmpty() || events.tag(send(graph, each)) == tag.getAsInt())
              .toList();
      if (meant.size() < 2) {
        return messages;
      }
      List<Integer> best = preference.best(graph, meant);
      return messages.stream()
          .filter(each -> !meant.contains(each) || best.contains(each))
          .toList();
    }
  }

  /** That no message of one rank is taken where one of another could still come. */
  private record Never(int first, int before) implements Preference {
    @Override
    public List<Integer> best(EventGraph graph, List<Integer> messages) {
      boolean there = messages.stream().anyMatch(each -> source(graph, each) == before);
      return there
          ? messages.stream().filter(each -> source(graph, each) != first).toList()
          : messages;
    }
  }

  private final List<Rule> rules;

  private OrderRules(List<Rule> rules) {
    this.rules = rules;
  }

  /**
   * Reads rules, one a line; what is behind a # is not read.
   *
   * @param name of the file, for errors
   */
  public static OrderRules parse(String name, List<String> lines) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).replaceFirst("#.*", "").strip().toLowerCase(Locale.ROOT);
      if (!text.isEmpty()) {
        rules.add(rule(name + ":" + (i + 1), text.replaceAll("\\s+", " ")));
      }
    }
    if (rules.isEmpty()) {
      throw new UserError(
          "there is no rule in this file", name, "write one a line: tag 7: lowest source first");
    }
    return new OrderRules(rules);
  }

  private static Rule rule(String place, String text) {
    OptionalInt receiver = OptionalInt.empty();
    OptionalInt tag = OptionalInt.empty();
    int at = 0;
    Matcher scope = SCOPE.matcher(text);
    while (scope.region(at, text.length()).lookingAt()) {
      OptionalInt number = OptionalInt.of(Integer.parseInt(scope.group(2)));
      if (scope.group(1).equals("rank")) {
        receiver = number;
      } else {
        tag = number;
      }
      at = scope.end();
    }
    return new Rule(text, receiver, tag, preference(text.substring(at), place, text));
  }

  private static Preference preference(String words, String place, String text) {
    Matcher never = NEVER.matcher(words);
    if (never.matches()) {
      return new Never(Integer.parseInt(never.group(1)), Integer.parseInt(never.group(2)));
    }
    Matcher first = FIRST.matcher(words);
    if (first.matches()) {
      int rank = Integer.parseInt(first.group(1));
      boolean wanted = first.group(2).equals("first");
      return least((graph, message) -> (source(graph, message) == rank) == wanted ? 0 : 1);
    }
    return switch (words) {
      case "lowest source first" -> least((graph, message) -> source(graph, message));
      case "highest source first" -> least((graph, message) -> -source(graph, message));
      case "first come first" -> least(OrderRules::sent);
      case "last come first" -> least((graph, message) -> -sent(graph, message));
      default -> throw notARule(place, text);
    };
  }

  private static UserError notARule(String place, String text) {
    return new UserError(
        "this is not a rule for the order of messages",
        place + ": " + text,
        "write one of: lowest|highest source first, first|last come first, rank N first|last, never"
            + " rank N before rank M; before it, if it is not for all, rank N: or tag N:");
  }

  private interface Measure {
    long of(EventGraph graph, int message);
  }

  private static Preference least(Measure measure) {
    return (graph, messages) -> {
      long least = messages.stream().mapToLong(each -> measure.of(graph, each)).min().orElseThrow();
      return messages.stream().filter(each -> measure.of(graph, each) == least).toList();
    };
  }

  private static int send(EventGraph graph, int message) {
    return graph.pairing().send(message);
  }

  private static int source(EventGraph graph, int message) {
    return graph.events().rank(send(graph, message));
  }

  private static long sent(EventGraph graph, int message) {
    return graph.events().startNanos(send(graph, message));
  }

  @Override
  public int choose(Execution execution, int receive, List<Integer> messages) {
    List<Integer> left = messages;
    for (Rule rule : rules) {
      left = rule.leave(execution.graph(), receive, left);
    }
    return left.getFirst();
  }

  /**
   * The rules that an execution does not keep, since it cannot: a message of the rank that was to
   * come first is sent only because of the other's.
   */
  public List<String> unkept(Execution execution) {
    EventGraph graph = execution.graph();
    EventTable events = graph.events();
    TreeSet<String> broken = new TreeSet<>(Comparator.naturalOrder());
    for (Rule rule : rules) {
      if (rule.preference instanceof Never(int first, int before)) {
        for (int receive = 0; receive < events.size(); receive++) {
          if (isBroken(execution, rule, receive, first, before)) {
            broken.add(
                "%s: not kept by receive %d:%d, which no message of rank %d could reach before"
                    .formatted(rule.text, events.rank(receive), events.number(receive), before));
          }
        }
      }
    }
    return List.copyOf(broken);
  }

  private static boolean isBroken(
      Execution execution, Rule rule, int receive, int first, int before) {
    EventGraph graph = execution.graph();
    EventTable events = graph.events();
    boolean wild =
        switch (events.kind(receive)) {
          case RECV, POST_RECV, MPROBE -> events.is(receive, EventFlag.ANY_SOURCE);
          default -> false;
        };
    if (!wild || rule.receiver.isPresent() && rule.receiver.getAsInt() != events.rank(receive)) {
      return false;
    }
    int took = graph.pairing().message(receive);
    if (took < 0 || source(graph, took) != first || !isMeant(rule, graph, took)) {
      return false;
    }
    for (int message = 0; message < graph.pairing().messages(); message++) {
      int taker = graph.pairing().receive(message);
      if (source(graph, message) == before
          && isMeant(rule, graph, message)
          && events.peer(send(graph, message)) == events.rank(receive)
          && (taker < 0 || taker > receive)
          && execution.alternatives().accepts(receive, send(graph, message))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMeant(Rule rule, EventGraph graph, int message) {
    return rule.tag.isEmpty() || graph.events().tag(send(graph, message)) == rule.tag.getAsInt();
  }
}
