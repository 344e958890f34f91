package org.reprise.ranks.host;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.reprise.ranks.MpjArguments;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.RankEnded;

/** The ranks of one run of a program: what each of them does from its first instruction. */
public final class HostedRanks implements RankProgram {
  private final HostedProgram program;
  private final List<String> arguments;
  private final boolean mpjArguments;
  private final IntFunction<RankStreams> streams;

  /**
   * Ranks.
   *
   * @param streams the standard streams of a rank, asked for once
   */
  public HostedRanks(
      HostedProgram program, ProgramCommand command, IntFunction<RankStreams> streams) {
    this(program, command.arguments(), command.mpjArguments(), streams);
  }

  /** Ranks whose main gets these arguments and no others. */
  public HostedRanks(
      HostedProgram program, List<String> arguments, IntFunction<RankStreams> streams) {
    this(program, arguments, false, streams);
  }

  private HostedRanks(
      HostedProgram program,
      List<String> arguments,
      boolean mpjArguments,
      IntFunction<RankStreams> streams) {
    this.program = program;
    this.arguments = List.copyOf(arguments);
    this.mpjArguments = mpjArguments;
    this.streams = streams;
  }

  /** What main of the calling rank gets: an array of its own. */
  private String[] arguments() {
    List<String> all = new ArrayList<>(mpjArguments ? MpjArguments.ofThisRank() : List.of());
    all.addAll(arguments);
    return all.toArray(String[]::new);
  }

  @Override
  public boolean cancels() {
    return program.cancels();
  }

  @Override
  public void run(int rank) throws Throwable {
    RankStreams own = streams.apply(rank);
    RankHome home = new RankHome(CurrentRank.inputs(), own);
    MainMethod main = program.load();
    home.enter();
    Thread.currentThread().setContextClassLoader(main.loader());
    try {
      main.run(arguments());
    } catch (Throwable thrown) {
      RankEnded exited = home.exited();
      // A program that catches everything, or whose static initialiser exits, wraps what ended it.
      throw exited == null ? thrown : exited;
    } finally {
      own.finish();
      RankHome.leave();
    }
    RankEnded exited = home.exited();
    if (exited != null) {
      throw exited;
    }
  }
}
