package org.reprise.ranks.host;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.inputs.MachineInputs;

/**
 * What a rank has to itself, as a process would: its standard streams, its sources of time and
 * chance, and an exit status. Threads that a rank starts are at home where it is.
 */
final class RankHome {
  private static final InheritableThreadLocal<@Nullable RankHome> CURRENT =
      new InheritableThreadLocal<>();

  private final Inputs inputs;
  private final RankStreams streams;
  private volatile @Nullable RankEnded exit;
  private final Map<Integer, RankRandom> random = new HashMap<>(1);

  RankHome(Inputs inputs, RankStreams streams) {
    this.inputs = inputs;
    this.streams = streams;
  }

  /** That of the calling thread, or null if it belongs to no rank. */
  static @Nullable RankHome current() {
    RankHome home = known();
    if (home != null) {
      RankEnded exit = home.exit;
      if (exit != null) {
        throw exit;
      }
    }
    return home;
  }

  /** Where the calling thread reads clocks and random sources. */
  static Inputs currentInputs() {
    RankHome home = current();
    return home == null ? MachineInputs.INSTANCE : home.inputs;
  }

  /** The streams of the calling thread, even of one that has called exit. */
  static @Nullable RankStreams currentStreams() {
    RankHome home = known();
    return home == null ? null : home.streams;
  }

  /** Workers of a pool that ranks share inherit from whoever happened to start them. */
  private static @Nullable RankHome known() {
    return CurrentRank.isOfCommonPool() ? null : CURRENT.get();
  }

  /** Lives here from now on. */
  void enter() {
    CURRENT.set(this);
  }

  static void leave() {
    CURRENT.remove();
  }

  PrintStream out() {
    return streams.out();
  }

  PrintStream err() {
    return streams.err();
  }

  InputStream in() {
    return streams.in();
  }

  RankStreams streams() {
    return streams;
  }

  /**
   * The generator behind {@code Math.random} and {@code ThreadLocalRandom}: each thread has its
   * own, so that what it draws does not depend on when the others do.
   */
  synchronized RankRandom random() {
    return random.computeIfAbsent(CurrentRank.thread(), _ -> new RankRandom(inputs.randomLong()));
  }

  /** Ends this rank, from wherever in it. */
  RankEnded exit(int status) {
    RankEnded leaving = RankEnded.exit(status);
    exit = leaving;
    return leaving;
  }

  /** How it was left by {@code System.exit}, if it was. */
  @Nullable RankEnded exited() {
    return exit;
  }
}
