package org.reprise.debugger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.debugger.attach.AttachedJob;
import org.reprise.debugger.source.SourceDebuggers;
import org.reprise.debugger.source.SourceError;
import org.reprise.debugger.source.SourceFrame;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;

/**
 * The commands of {@code reprise attach}: those of the debugger that only look. The job that is
 * looked into is somebody's run, and is not changed.
 */
public final class AttachedCommands implements Interpreter, InspectedRanks {
  private static final Set<Verb> LOOKING =
      EnumSet.of(
          Verb.CONTINUE,
          Verb.WHERE,
          Verb.RANKS,
          Verb.STACK,
          Verb.FRAME,
          Verb.LIST,
          Verb.PRINT,
          Verb.HELP,
          Verb.QUIT);
  private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|m)");
  private static final long LOOK_MILLIS = 20;

  private final AttachedJob job;
  private final IntFunction<String> callNames;
  private final Inspector inspector;
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private RankSet focus;
  private boolean quit;

  /**
   * Commands for a job.
   *
   * @param callNames the name of an MPI call by its number
   */
  public AttachedCommands(AttachedJob job, IntFunction<String> callNames) {
    this.job = job;
    this.callNames = callNames;
    inspector = new Inspector(this);
    focus = RankSet.all(job.ranks());
  }

  /** Stops all ranks, and says where they are. */
  public Answer stop() {
    job.stop();
    inspector.forget();
    return where();
  }

  @Override
  public Answer execute(String line) {
    String stripped = line.strip();
    if (stripped.isEmpty() || stripped.startsWith("#")) {
      return new Answer();
    }
    String[] words = stripped.split("\\s+", 2);
    String rest = words.length > 1 ? words[1].strip() : "";
    Verb verb = Verb.of(words[0]).orElseThrow(() -> Commands.unknown(words[0]));
    return switch (verb) {
      case CONTINUE -> goOn(rest);
      case WHERE -> where();
      case RANKS -> ranks(rest);
      case STACK -> inspector.stacks();
      case FRAME -> inspector.frame(rest);
      case LIST -> inspector.list();
      case PRINT -> Commands.print(inspector, rest);
      case HELP -> help();
      case QUIT -> {
        quit = true;
        yield new Answer();
      }
      default ->
          throw new UserError(
              "'" + verb.word() + "' is not for a job that is being recorded",
              "it goes on once, and nothing of it may be changed",
              "when it has ended: reprise debug " + job.run().name());
    };
  }

  /** Lets the ranks go on: until Ctrl-C, for a time, or to their end. */
  private Answer goOn(String typed) {
    Optional<Duration> time = typed.isEmpty() ? Optional.empty() : Optional.of(duration(typed));
    forgetInterrupt();
    job.go();
    long begun = System.nanoTime();
    boolean alive = true;
    while (alive
        && !interrupted.get()
        && time.filter(most -> System.nanoTime() - begun >= most.toNanos()).isEmpty()) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        interrupted.set(true);
      }
      alive = job.isAlive();
    }
    forgetInterrupt();
    return alive ? stop() : new Answer().line("the ranks have ended").value("ended", true);
  }

  private static Duration duration(String typed) {
    Matcher time = TIME.matcher(typed);
    if (!time.matches()) {
      throw new UserError(
          "'" + typed + "' is not a time to go on", typed, "continue, continue 500ms, continue 2s");
    }
    double unit =
        switch (time.group(2)) {
          case "ms" -> 1e6;
          case "s" -> 1e9;
          default -> 60e9;
        };
    return Duration.ofNanos((long) (Double.parseDouble(time.group(1)) * unit));
  }

  /** A line for each group of ranks that are at one place. */
  private Answer where() {
    SortedMap<Integer, String> texts = new TreeMap<>();
    List<Object> values = new ArrayList<>();
    SortedMap<Integer, SourceFrame> places = new TreeMap<>();
    sources()
        .each(
            RankSet.all(job.ranks()).ranks(),
            rank -> {
              if (process(rank).isPresent()) {
                Optional<SourceFrame> place = inspector.place(rank);
                synchronized (places) {
                  place.ifPresent(frame -> places.put(rank, frame));
                }
              }
              return "";
            });
    for (int rank = 0; rank < job.ranks(); rank++) {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("rank", rank);
      texts.put(rank, words(rank, Optional.ofNullable(places.get(rank)), value));
      values.add(value);
    }
    return Answer.collapsed(texts, _ -> false).value("ranks", values);
  }

  private String words(int rank, Optional<SourceFrame> place, Map<String, Object> value) {
    Optional<RankHeader> header = job.header(rank);
    if (process(rank).isEmpty()) {
      value.put("state", header.isEmpty() ? "starting" : "ended");
      return header.isEmpty() ? "has not returned from MPI_Init" : "ended";
    }
    Optional<String> call = header.flatMap(RankHeader::currentCall).map(callNames::apply);
    value.put("state", call.isPresent() ? "inside" : "running");
    call.ifPresent(name -> value.put("call", name));
    place
        .filter(frame -> frame.line() > 0)
        .ifPresent(
            frame -> {
              value.put("file", frame.file());
              value.put("sourceLine", frame.line());
            });
    String at = place.map(frame -> "at " + frame.text()).orElse("");
    return call.map(name -> "inside " + name + (at.isEmpty() ? "" : ", ")).orElse("")
        + (at.isEmpty() && call.isEmpty() ? "running" : at);
  }

  private Answer ranks(String typed) {
    if (!typed.isEmpty()) {
      focus = RankSet.parse(typed, job.ranks());
    }
    return Answer.of(focus.text() + " of " + job.ranks())
        .value("ranks", List.copyOf(focus.ranks()));
  }

  private static Answer help() {
    Answer answer = new Answer();
    for (Verb verb : LOOKING) {
      answer.line(
          "%-12s %s"
              .formatted(
                  verb.word(),
                  verb == Verb.CONTINUE
                      ? "lets the ranks go on, until Ctrl-C or for a time: continue 2s (c)"
                      : verb == Verb.QUIT ? "leaves; the job goes on (q, exit)" : verb.does()));
    }
    return answer;
  }

  @Override
  public boolean isOver() {
    return quit;
  }

  @Override
  public String failure(SourceError error) {
    return sources().failure(error);
  }

  @Override
  public void interrupt() {
    interrupted.set(true);
  }

  @Override
  public void forgetInterrupt() {
    interrupted.set(false);
  }

  @Override
  public List<String> words() {
    return LOOKING.stream().map(Verb::word).toList();
  }

  @Override
  public void requireStarted() {
    if (sources().attached().isEmpty()) {
      throw new UserError(
          "the ranks have ended",
          "nothing to look into",
          "reprise debug " + job.run().name() + " replays the run");
    }
  }

  @Override
  public Optional<Long> process(int rank) {
    return job.process(rank);
  }

  @Override
  public void thaw() {
    // Nobody is frozen.
  }

  @Override
  public SourceDebuggers sources() {
    return job.sources();
  }

  @Override
  public RankSet focus() {
    return focus;
  }
}
