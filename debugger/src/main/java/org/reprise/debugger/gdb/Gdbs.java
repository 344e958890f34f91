package org.reprise.debugger.gdb;

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
import java.util.function.BiFunction;
import java.util.function.Function;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.hold.HeldJob;
import org.reprise.debugger.hold.ReplayTimeline;
import org.reprise.trace.UserError;

/**
 * The gdbs of a job: one for each rank that is looked into, attached when it first is, and there
 * until the job ends. A rank with a breakpoint has one as soon as it runs.
 */
public final class Gdbs implements ReplayTimeline.Halts {
  private final Bell bell;
  private final Set<Integer> crashed;
  private final Map<Integer, Gdb> gdbs = new ConcurrentHashMap<>();
  private final NavigableMap<Integer, LineBreakpoint> breakpoints = new TreeMap<>();
  private final Map<Integer, Map<String, Integer>> inserted = new ConcurrentHashMap<>();
  private Set<Integer> stepping = Set.of();

  /**
   * No gdb yet.
   *
   * @param crashed ranks that a signal will end: gdb is to be there when it does
   */
  public Gdbs(Bell bell, Set<Integer> crashed) {
    this.bell = bell;
    this.crashed = Set.copyOf(crashed);
  }

  public SortedMap<Integer, LineBreakpoint> breakpoints() {
    return breakpoints;
  }

  @Override
  public void begin(HeldJob job, boolean isNew) {
    Set<Integer> wanted = new TreeSet<>(crashed);
    breakpoints.values().forEach(one -> wanted.addAll(one.ranks()));
    wanted.removeIf(rank -> rank >= job.ranks());
    each(
        wanted,
        rank -> {
          job.process(rank).ifPresent(process -> attach(rank, process));
          return "";
        });
    for (Map.Entry<Integer, Gdb> one : gdbs.entrySet()) {
      if (!stepping.contains(one.getKey())) {
        try {
          one.getValue().resume();
        } catch (GdbError e) {
          // The rank has ended; its state says so.
        }
      }
    }
  }

  /** These ranks are being stepped: they go on by themselves. */
  public void step(Set<Integer> ranks) {
    stepping = Set.copyOf(ranks);
  }

  /** The gdb of a rank, attached now if it was not; its process stands. */
  public Gdb attach(int rank, long process) {
    Gdb known = gdbs.get(rank);
    if (known != null && !known.isGone()) {
      return known;
    }
    Gdb gdb = Gdb.attach(process, bell);
    gdbs.put(rank, gdb);
    inserted.remove(rank);
    breakpoints.values().stream()
        .filter(one -> one.ranks().contains(rank))
        .forEach(one -> insert(rank, one));
    return gdb;
  }

  public Optional<Gdb> of(int rank) {
    return Optional.ofNullable(gdbs.get(rank)).filter(gdb -> !gdb.isGone());
  }

  /** Puts a breakpoint into a rank that has a gdb; its process must stand. */
  public void insert(int rank, LineBreakpoint breakpoint) {
    Gdb gdb = gdbs.get(rank);
    if (gdb == null) {
      return;
    }
    String condition =
        breakpoint.condition().map(text -> "-c " + Gdb.quoted(text) + " ").orElse("");
    MiRecord answer = gdb.ask("-break-insert -f " + condition + Gdb.quoted(breakpoint.place()));
    String number = answer.map("bkpt").get("number") instanceof String text ? text : "";
    inserted.computeIfAbsent(rank, _ -> new ConcurrentHashMap<>()).put(number, breakpoint.number());
  }

  /** Takes a breakpoint out of every rank that has it. */
  public void remove(int number) {
    breakpoints.remove(number);
    inserted.forEach(
        (rank, theirs) ->
            theirs.forEach(
                (theirNumber, ours) -> {
                  if (ours == number) {
                    of(rank).ifPresent(gdb -> gdb.ask("-break-delete " + theirNumber));
                    theirs.remove(theirNumber);
                  }
                }));
  }

  @Override
  public boolean isHalted(int rank) {
    Gdb gdb = gdbs.get(rank);
    return gdb != null && !stepping.contains(rank) && gdb.isStopped();
  }

  @Override
  public boolean isAttached(int rank) {
    return of(rank).isPresent();
  }

  /** The breakpoint at which a rank stands; empty if it stands for another reason. */
  public Optional<LineBreakpoint> met(int rank) {
    return of(rank)
        .flatMap(Gdb::stop)
        .filter(stop -> stop.text("reason").equals("breakpoint-hit"))
        .map(stop -> inserted.getOrDefault(rank, Map.of()).get(stop.text("bkptno")))
        .map(breakpoints::get);
  }

  /** Why a rank stands in its gdb, in words; empty if it does not, or nobody knows. */
  public Optional<String> reason(int rank) {
    return of(rank)
        .flatMap(Gdb::stop)
        .flatMap(
            stop ->
                switch (stop.text("reason")) {
                  case "breakpoint-hit" -> Optional.of("breakpoint " + number(rank, stop));
                  case "signal-received" ->
                      Optional.of(stop.text("signal-name")).filter(name -> !isOurs(name));
                  case "exited", "exited-normally", "exited-signalled" -> Optional.of("its end");
                  default -> Optional.empty();
                });
  }

  private static boolean isOurs(String signal) {
    return signal.equals("0") || signal.equals("SIGINT") || signal.equals("SIGSTOP");
  }

  private String number(int rank, MiRecord stop) {
    Integer ours = inserted.getOrDefault(rank, Map.of()).get(stop.text("bkptno"));
    return ours == null ? stop.text("bkptno") : ours.toString();
  }

  /** The same question to several ranks at once; what goes wrong is the answer then. */
  public static SortedMap<Integer, String> each(
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
                    } catch (GdbError e) {
                      answers.put(rank, "gdb: " + e.getMessage());
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

  @Override
  public void end() {
    each(
        gdbs.keySet(),
        rank -> {
          Optional.ofNullable(gdbs.get(rank)).ifPresent(Gdb::close);
          return "";
        });
    gdbs.clear();
    inserted.clear();
    stepping = Set.of();
  }

  /** Of the ranks that have a gdb. */
  public <T> SortedMap<Integer, T> all(BiFunction<Integer, Gdb, T> question) {
    SortedMap<Integer, T> answers = new TreeMap<>();
    gdbs.forEach((rank, gdb) -> answers.put(rank, question.apply(rank, gdb)));
    return answers;
  }
}
