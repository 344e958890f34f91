package org.reprise.debugger;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.trace.UserError;

/**
 * A moment of a rank between two events, by the way to it: held on entry of a call, and what it did
 * from there. A replay computes the same again, so the same way leads to the same moment.
 *
 * @param calls how many calls were over when it was held
 */
record Trail(long calls, List<Move> moves) {
  /** A part of the way. */
  sealed interface Move {}

  /** On to a place of the source, at which a condition holds. */
  record Halt(String place, Optional<String> condition) implements Move {}

  /**
   * On until a value has changed so many times.
   *
   * @param depth of the frame that it is read in, from the outermost
   */
  record Change(String expression, String function, int depth, int times) implements Move {}

  /** By lines: {@code step}, {@code next 3}. */
  record Step(String command) implements Move {}

  /** Out of the call that it is held on entry of, to the line that made it. */
  record Leave() implements Move {}

  private static final Pattern PLACE = Pattern.compile("break\\s+(.+?)(?:\\s+if\\s+(.+))?");
  private static final Pattern STEPS =
      Pattern.compile("(step|next|finish|until)((?:\\s+\\S*[^0-9\\s]\\S*)?)(?:\\s+(\\d{1,6}))?");

  Trail {
    moves = List.copyOf(moves);
  }

  static Trail from(long calls) {
    return new Trail(calls, List.of());
  }

  Trail with(Move move) {
    List<Move> more = new ArrayList<>(moves);
    more.add(move);
    return new Trail(calls, more);
  }

  Trail with(Move move, int times) {
    List<Move> more = new ArrayList<>(moves);
    for (int i = 0; i < times; i++) {
      more.add(move);
    }
    return new Trail(calls, more);
  }

  Trail withoutLast() {
    return new Trail(calls, moves.subList(0, moves.size() - 1));
  }

  Optional<Move> last() {
    return moves.isEmpty() ? Optional.empty() : Optional.of(moves.getLast());
  }

  /** As it is typed behind {@code goto RANK:EVENT then}. */
  String text() {
    List<String> parts = new ArrayList<>();
    int same = 0;
    for (int i = 0; i < moves.size(); i++) {
      same++;
      boolean goesOn = i + 1 < moves.size() && moves.get(i + 1).equals(moves.get(i));
      if (goesOn && moves.get(i) instanceof Step) {
        continue;
      }
      parts.add(
          switch (moves.get(i)) {
            case Halt(String place, Optional<String> condition) ->
                "break " + place + condition.map(text -> " if " + text).orElse("");
            case Change change ->
                "watch %s %d in %s at %d"
                    .formatted(change.expression, change.times, change.function, change.depth);
            case Step(String command) -> command + (same > 1 ? " " + same : "");
            case Leave() -> "leave";
          });
      same = 0;
    }
    return String.join("; ", parts);
  }

  private static final Pattern WATCH =
      Pattern.compile("watch (.+) (\\d{1,9}) in (\\S+) at (\\d{1,6})");

  /** Reads what {@link #text} writes. */
  static Trail parse(long calls, String typed) {
    List<Move> moves = new ArrayList<>();
    for (String part : typed.split(";", -1)) {
      String words = part.strip();
      Matcher place = PLACE.matcher(words);
      Matcher steps = STEPS.matcher(words);
      Matcher watch = WATCH.matcher(words);
      if (words.equals("leave")) {
        moves.add(new Leave());
      } else if (place.matches()) {
        moves.add(new Halt(place.group(1), Optional.ofNullable(place.group(2))));
      } else if (watch.matches()) {
        moves.add(
            new Change(
                watch.group(1),
                watch.group(3),
                Integer.parseInt(watch.group(4)),
                Integer.parseInt(watch.group(2))));
      } else if (steps.matches()) {
        int times = steps.group(3) == null ? 1 : Integer.parseInt(steps.group(3));
        for (int i = 0; i < times; i++) {
          moves.add(new Step(steps.group(1).toLowerCase(Locale.ROOT) + steps.group(2)));
        }
      } else {
        throw new UserError(
            "'" + words + "' is not a step from an event",
            "none of break PLACE [if COND], step [N], next [N], finish",
            "goto 2:17 then break solver.c:212; next 3");
      }
    }
    return new Trail(calls, moves);
  }
}
