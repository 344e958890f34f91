package org.reprise.debugger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceError;
import org.reprise.debugger.source.SourceFrame;
import org.reprise.trace.UserError;

/** Looks into the ranks: stacks, source, variables; the same question to all that are chosen. */
final class Inspector {
  private static final int LINES_AROUND = 5;
  private static final int GATHERED_MAX = 100_000;

  /** {@code u[lo:hi]}. */
  private static final Pattern PART = Pattern.compile("(.+)\\[([^\\[\\]:]+):([^\\[\\]:]+)]");

  private final InspectedRanks ranks;
  private final Map<Integer, Integer> chosenFrames = new HashMap<>();

  Inspector(InspectedRanks ranks) {
    this.ranks = ranks;
  }

  /** Whatever was chosen before the ranks moved is of no use any more. */
  void forget() {
    chosenFrames.clear();
  }

  /** A rank that stands in its ranks. */
  SourceDebugger source(int rank) {
    ranks.requireStarted();
    long process = ranks.process(rank).orElseThrow(() -> new SourceError("the rank has ended"));
    SourceDebugger source = ranks.sources().attach(rank, process);
    source.halt();
    return source;
  }

  private SortedMap<Integer, String> each(Function<Integer, String> question) {
    ranks.requireStarted();
    ranks.thaw();
    return ranks.sources().each(ranks.focus().ranks(), question);
  }

  /** The frame that expressions are read in. */
  SourceFrame frame(SourceDebugger source, int rank) {
    List<SourceFrame> frames = source.frames();
    if (frames.isEmpty()) {
      throw new SourceError("the rank has no frame of the program");
    }
    return frames.get(
        Math.min(chosenFrames.getOrDefault(rank, innermost(frames)), frames.size() - 1));
  }

  /** The innermost frame whose source is there: a library that the program waits in has none. */
  private static int innermost(List<SourceFrame> frames) {
    for (int i = 0; i < frames.size(); i++) {
      SourceFrame frame = frames.get(i);
      if (frame.line() > 0 && Files.isReadable(Path.of(frame.file()))) {
        return i;
      }
    }
    return 0;
  }

  /** Where a rank is: its innermost frame with a line. */
  Optional<SourceFrame> place(int rank) {
    List<SourceFrame> frames = source(rank).frames();
    return frames.isEmpty() ? Optional.empty() : Optional.of(frames.get(innermost(frames)));
  }

  private Answer collapsed(SortedMap<Integer, String> texts) {
    return Answer.collapsed(texts, ranks.sources()::isFailure);
  }

  /** The stacks of the chosen ranks. */
  Answer stacks() {
    return collapsed(
        each(
            rank -> {
              StringBuilder text = new StringBuilder();
              List<SourceFrame> frames = source(rank).frames();
              for (int i = 0; i < frames.size(); i++) {
                text.append(i == 0 ? "" : "\n").append('#').append(i).append(' ');
                text.append(frames.get(i).text());
              }
              return text.toString();
            }));
  }

  /** Chooses the frame that expressions are read in; shows it if none is named. */
  Answer frame(String typed) {
    return typed.isEmpty() ? frame() : choose(Commands.number(typed, "frame N"));
  }

  private Answer frame() {
    return collapsed(
        each(
            rank -> {
              SourceDebugger source = source(rank);
              SourceFrame frame = frame(source, rank);
              return "#" + source.frames().indexOf(frame) + " " + frame.text();
            }));
  }

  private Answer choose(int frame) {
    SortedMap<Integer, String> chosen =
        each(
            rank -> {
              List<SourceFrame> frames = source(rank).frames();
              if (frame < 0 || frame >= frames.size()) {
                throw new SourceError(
                    "there is no frame " + frame + "; the last one is " + (frames.size() - 1));
              }
              return "#" + frame + " " + frames.get(frame).text();
            });
    ranks.focus().ranks().forEach(rank -> chosenFrames.put(rank, frame));
    return collapsed(chosen);
  }

  Answer print(String expression) {
    return collapsed(
        each(
            rank -> {
              SourceDebugger source = source(rank);
              return source.evaluate(expression, frame(source, rank).level());
            }));
  }

  /** Changes a variable: from there on it is not a replay. */
  Answer set(String assignment) {
    Answer answer =
        collapsed(
            each(
                rank -> {
                  SourceDebugger source = source(rank);
                  int level = frame(source, rank).level();
                  source.assign(assignment, level);
                  int equals = assignment.indexOf('=');
                  String changed =
                      equals < 0 ? assignment : assignment.substring(0, equals).strip();
                  return changed + " = " + source.evaluate(changed, level);
                }));
    return answer.line("from here on this is not a replay; the next goto begins at the start");
  }

  /** The source around where the chosen ranks are. */
  Answer list() {
    return collapsed(
        each(
            rank -> {
              SourceFrame frame = frame(source(rank), rank);
              return source(frame)
                  .orElseThrow(
                      () ->
                          new SourceError(
                              frame.line() == 0
                                  ? frame.text() + " has no debug information; compile with -g"
                                  : "there is no " + frame.file()));
            }));
  }

  private static Optional<String> source(SourceFrame frame) {
    if (frame.line() == 0) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(Path.of(frame.file()));
      StringBuilder text = new StringBuilder(frame.text());
      int from = Math.max(1, frame.line() - LINES_AROUND);
      int to = Math.min(lines.size(), frame.line() + LINES_AROUND);
      for (int line = from; line <= to; line++) {
        text.append('\n').append(line == frame.line() ? "> " : "  ");
        text.append(line).append("  ").append(lines.get(line - 1));
      }
      return Optional.of(text.toString());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The parts of a distributed array, put together in the order of the ranks. */
  Answer gather(String expression) {
    Matcher part = PART.matcher(expression.strip());
    if (!part.matches()) {
      throw new UserError(
          "'" + expression + "' does not say which elements are a rank's part",
          "no [from:to] at its end",
          "print --gather u[1:n+1], where from and to are expressions in the rank; to is behind the"
              + " last");
    }
    SortedMap<Integer, String> texts =
        each(
            rank -> {
              SourceDebugger source = source(rank);
              int level = frame(source, rank).level();
              long from = source.whole(part.group(2), level);
              long to = source.whole(part.group(3), level);
              if (to - from > GATHERED_MAX) {
                throw new SourceError(to - from + " elements are too many");
              }
              return to <= from ? "" : source.elements(part.group(1), from, to, level);
            });
    return new GatheredArray(texts).answer();
  }
}
