package org.reprise.debugger.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.reprise.debugger.hold.HeldJob;
import org.reprise.debugger.hold.ReplayTimeline;
import org.reprise.trace.UserError;

/**
 * The source-level debuggers of a job: one for each rank that is looked into, attached when it
 * first is, and there until the job ends. A rank with a breakpoint has one as soon as it runs.
 */
public abstract class SourceDebuggers implements ReplayTimeline.Halts {
  private final Map<Integer, SourceDebugger> debuggers = new ConcurrentHashMap<>();
  private final NavigableMap<Integer, LineBreakpoint> breakpoints = new TreeMap<>();
  private final Map<Integer, Map<String, Integer>> inserted = new ConcurrentHashMap<>();
  private Set<Integer> stepping = Set.of();

  /** What users know them by: what goes wrong begins with it. */
  public abstract String name();

  /** Attaches to a rank, which stands then. */
  protected abstract SourceDebugger open(int rank, long process);

  /** Ranks that are to have one before they do anything, though nobody asked for it. */
  protected abstract Set<Integer> watchedFromTheStart();

  public final SortedMap<Integer, LineBreakpoint> breakpoints() {
    return breakpoints;
  }

  @Override
  public void begin(HeldJob job, boolean isNew) {
    Set<Integer> wanted = new TreeSet<>(watchedFromTheStart());
    breakpoints.values().forEach(one -> wanted.addAll(one.ranks()));
    wanted.removeIf(rank -> rank >= job.ranks());
    each(
        wanted,
        rank -> {
          job.process(rank).ifPresent(process -> attach(rank, process));
          return "";
        });
    for (Map.Entry<Integer, SourceDebugger> one : debuggers.entrySet()) {
      if (!stepping.contains(one.getKey())) {
        try {
          one.getValue().resume();
        } catch (SourceError e) {
          // The rank has ended; its state says so.
        }
      }
    }
  }

  /** These ranks are being stepped: they go on by themselves. */
  public final void step(Set<Integer> ranks) {
    stepping = Set.copyOf(ranks);
  }

  /** The debugger of a rank, attached now if it was not; the rank stands if it was attached now. */
  public final SourceDebugger attach(int rank, long process) {
    SourceDebugger known = debuggers.get(rank);
    if (known != null && !known.isGone()) {
      return known;
    }
    SourceDebugger opened = open(rank, process);
    debuggers.put(rank, opened);
    inserted.remove(rank);
    breakpoints.values().stream()
        .filter(one -> one.ranks().contains(rank))
        .forEach(one -> insert(rank, one));
    return opened;
  }

  public final Optional<SourceDebugger> of(int rank) {
    return Optional.ofNullable(debuggers.get(rank)).filter(one -> !one.isGone());
  }

  /** The ranks that have one. */
  public final List<Integer> attached() {
    return List.copyOf(new TreeSet<>(debuggers.keySet()));
  }

  /** Puts a breakpoint into a rank that has a debugger; the rank must stand. */
  public final void insert(int rank, LineBreakpoint breakpoint) {
    SourceDebugger debugger = debuggers.get(rank);
    if (debugger == null) {
      return;
    }
    String number = debugger.insert(breakpoint.place(), breakpoint.condition());
    inserted.computeIfAbsent(rank, _ -> new ConcurrentHashMap<>()).put(number, breakpoint.number());
  }

  /** Takes a breakpoint out of every rank that has it. */
  public final void remove(int number) {
    breakpoints.remove(number);
    inserted.forEach(
        (rank, theirs) ->
            theirs.forEach(
                (theirNumber, ours) -> {
                  if (ours == number) {
                    of(rank).ifPresent(debugger -> debugger.removeBreakpoint(theirNumber));
                    theirs.remove(theirNumber);
                  }
                }));
  }

  @Override
  public boolean isHalted(int rank) {
    SourceDebugger debugger = debuggers.get(rank);
    return debugger != null && !stepping.contains(rank) && debugger.isStopped();
  }

  @Override
  public boolean isAttached(int rank) {
    return of(rank).isPresent();
  }

  /** The breakpoint at which a rank stands; empty if it stands for another reason. */
  public final Optional<LineBreakpoint> met(int rank) {
    return of(rank)
        .flatMap(SourceDebugger::stopped)
        .flatMap(SourceDebugger.Stopped::breakpoint)
        .map(number -> inserted.getOrDefault(rank, Map.of()).get(number))
        .map(breakpoints::get);
  }

  /** Why a rank stands, in words; empty if it does not, or nobody knows. */
  public final Optional<String> reason(int rank) {
    return of(rank)
        .flatMap(SourceDebugger::stopped)
        .map(
            stopped ->
                stopped
                    .breakpoint()
                    .map(number -> "breakpoint " + number(rank, number))
                    .orElse(stopped.words()));
  }

  private String number(int rank, String theirs) {
    Integer ours = inserted.getOrDefault(rank, Map.of()).get(theirs);
    return ours == null ? theirs : ours.toString();
  }

  /** The same question to several ranks at once; what goes wrong is the answer then. */
  public final SortedMap<Integer, String> each(
      Collection<Integer> ranks, Function<Integer, String> question) {
    SortedMap<Integer, String> answers = new ConcurrentSkipListMap<>();
    List<Thread> threads = new ArrayList<>();
    List<UserError> errors = new ArrayList<>();
    for (int rank : ranks) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      answers.put(rank, question.apply(rank));
                    } catch (SourceError e) {
                      answers.put(rank, failure(e));
                    } catch (UserError e) {
                      synchronized (errors) {
                        errors.add(e);
                      }
                    }
                  }));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (errors) {
      if (!errors.isEmpty()) {
        throw errors.getFirst();
      }
    }
    return answers;
  }

  /** What went wrong, as users read it. */
  public final String failure(SourceError error) {
    return name() + ": " + error.getMessage();
  }

  /** Whether this is what {@link #failure} says. */
  public final boolean isFailure(String text) {
    return text.startsWith(name() + ": ");
  }

  @Override
  public void end() {
    each(
        debuggers.keySet(),
        rank -> {
          Optional.ofNullable(debuggers.get(rank)).ifPresent(SourceDebugger::close);
          return "";
        });
    debuggers.clear();
    inserted.clear();
    stepping = Set.of();
  }
}
