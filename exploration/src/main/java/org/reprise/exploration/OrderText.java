package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * Orders and flips in a line of text each, so that a search can go on where it was interrupted. A
 * word is an outcome: a letter, numbers, and behind a slash the tag where the call left it open.
 */
public final class OrderText {
  private static final String NONE = "-";

  /** The orders of all ranks: calls, a bar, posts; ranks are separated by semicolons. */
  public static String of(List<RankPlan> orders) {
    return orders.stream().map(OrderText::of).collect(Collectors.joining(";"));
  }

  private static String of(RankPlan order) {
    String calls = order.calls().stream().map(OrderText::of).collect(Collectors.joining(" "));
    String posts =
        new TreeMap<>(order.posts())
            .values().stream().map(OrderText::of).collect(Collectors.joining(" "));
    return calls + "|" + posts;
  }

  /** What {@link #of(List)} wrote. */
  public static List<RankPlan> orders(String text) {
    List<RankPlan> orders = new ArrayList<>();
    for (String rank : text.split(";", -1)) {
      int bar = rank.indexOf('|');
      List<Outcome> calls = words(rank.substring(0, bar)).map(OrderText::outcome).toList();
      Map<Long, Outcome> posts = new HashMap<>();
      words(rank.substring(bar + 1))
          .map(OrderText::outcome)
          .forEach(outcome -> posts.put(post(outcome), outcome));
      orders.add(new RankPlan(calls, posts));
    }
    return orders;
  }

  private static long post(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Post(long post, _, _) -> post;
      case Outcome.PostEnd(long post, _) -> post;
      default -> throw new IllegalArgumentException("not of a post: " + outcome);
    };
  }

  private static Stream<String> words(String text) {
    return text.isEmpty() ? Stream.empty() : Stream.of(text.split(" "));
  }

  private static String of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, OptionalInt tag) -> "r" + source + tag(tag);
      case Outcome.Probe(int source, OptionalInt tag) -> "p" + source + tag(tag);
      case Outcome.Found(int source, OptionalInt tag) -> "f" + source + tag(tag);
      case Outcome.Post(long post, int source, OptionalInt tag) ->
          "o" + post + "=" + source + tag(tag);
      case Outcome.PostEnd(long post, Wire.PostEnd end) -> "e" + post + "=" + end.ordinal();
      case Outcome.FailedPolls(long count) -> "n" + count;
      case Outcome.Hit(Wire.Poll poll) -> "h" + poll.ordinal();
      case Outcome.Index(OptionalInt index) ->
          "i" + (index.isPresent() ? String.valueOf(index.getAsInt()) : NONE);
      case Outcome.Indices(boolean defined, List<Integer> indices) ->
          "s" + (defined ? numbers(indices) : NONE);
      case Outcome.Errors(int code, List<Integer> codes) -> "x" + code + "," + numbers(codes);
      default -> throw new IllegalArgumentException("not part of a plan: " + outcome);
    };
  }

  private static String tag(OptionalInt tag) {
    return tag.isPresent() ? "/" + tag.getAsInt() : "";
  }

  private static String numbers(List<? extends Number> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static Outcome outcome(String word) {
    String rest = word.substring(1);
    int slash = rest.indexOf('/');
    OptionalInt tag =
        slash < 0
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(rest.substring(slash + 1)));
    String number = slash < 0 ? rest : rest.substring(0, slash);
    int equals = number.indexOf('=');
    long post = equals < 0 ? 0 : Long.parseLong(number.substring(0, equals));
    String value = number.substring(equals + 1);
    return switch (word.charAt(0)) {
      case 'r' -> new Outcome.Recv(Integer.parseInt(value), tag);
      case 'p' -> new Outcome.Probe(Integer.parseInt(value), tag);
      case 'f' -> new Outcome.Found(Integer.parseInt(value), tag);
      case 'o' -> new Outcome.Post(post, Integer.parseInt(value), tag);
      case 'e' -> new Outcome.PostEnd(post, Wire.PostEnd.values()[Integer.parseInt(value)]);
      case 'n' -> new Outcome.FailedPolls(Long.parseLong(value));
      case 'h' -> new Outcome.Hit(Wire.Poll.values()[Integer.parseInt(value)]);
      case 'i' ->
          new Outcome.Index(
              value.equals(NONE) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(value)));
      case 's' ->
          value.equals(NONE)
              ? new Outcome.Indices(false, List.of())
              : new Outcome.Indices(true, integers(value));
      case 'x' -> {
        int comma = value.indexOf(',');
        yield new Outcome.Errors(
            Integer.parseInt(value.substring(0, comma)), integers(value.substring(comma + 1)));
      }
      default -> throw new IllegalArgumentException("not an outcome: " + word);
    };
  }

  private static List<Integer> integers(String text) {
    return text.isEmpty() ? List.of() : Stream.of(text.split(",")).map(Integer::valueOf).toList();
  }

  /** A flip of an execution whose orders are known. */
  public static String of(Flip flip) {
    Decision decision = flip.taken().decision();
    Prefix prefix = flip.prefix();
    return decision.rank()
        + " "
        + decision.kind()
        + " "
        + decision.number()
        + " "
        + of(flip.taken().outcome())
        + " "
        + numbers(prefix.returned())
        + " "
        + numbers(prefix.calls())
        + " "
        + prefix.posts().stream()
            .map(
                posts ->
                    new TreeSet<>(posts)
                        .stream().map(String::valueOf).collect(Collectors.joining(",")))
            .collect(Collectors.joining(";"))
        + "; "
        + flip.place()
        + " "
        + numbers(prefix.failed())
        + " "
        + polls(flip.polls())
        + " "
        + listed(flip.then().stream().map(OrderText::of));
  }

  private static String listed(Stream<String> words) {
    String text = words.collect(Collectors.joining("+"));
    return text.isEmpty() ? NONE : text;
  }

  private static Stream<String> listed(String text) {
    return text.equals(NONE) ? Stream.empty() : Stream.of(text.split("\\+"));
  }

  /** What polls came to. */
  public static String polls(Collection<Taken> polls) {
    return listed(
        polls.stream()
            .map(
                each ->
                    each.decision().rank()
                        + ":"
                        + each.decision().number()
                        + ":"
                        + of(each.outcome()))
            .sorted());
  }

  /** What {@link #polls(Collection)} wrote. */
  public static Set<Taken> polls(String text) {
    Set<Taken> polls = new HashSet<>();
    listed(text)
        .forEach(
            word -> {
              String[] parts = word.split(":", 3);
              Decision decision =
                  new Decision(
                      Integer.parseInt(parts[0]), Decision.Kind.POLL, Long.parseLong(parts[1]));
              polls.add(new Taken(decision, outcome(parts[2])));
            });
    return polls;
  }

  /** What {@link #of(Flip)} wrote. */
  public static Flip flip(String text, List<RankPlan> orders) {
    String[] words = text.split(" ");
    Decision decision =
        new Decision(
            Integer.parseInt(words[0]), Decision.Kind.valueOf(words[1]), Long.parseLong(words[2]));
    List<Set<Long>> posts = new ArrayList<>();
    for (String rank : words[6].substring(0, words[6].length() - 1).split(";", -1)) {
      Set<Long> kept = new HashSet<>();
      for (String post : rank.isEmpty() ? new String[0] : rank.split(",")) {
        kept.add(Long.parseLong(post));
      }
      posts.add(kept);
    }
    return new Flip(
        new Taken(decision, outcome(words[3])),
        new Prefix(
            orders,
            integers(words[4]),
            integers(words[5]),
            posts,
            Stream.of(words[8].split(",")).map(Long::valueOf).toList()),
        Long.parseLong(words[7]),
        polls(words[9]),
        listed(words[10]).map(OrderText::outcome).toList());
  }

  private OrderText() {}
}
