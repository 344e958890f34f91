package org.reprise.launch.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.reprise.trace.run.RunDirectory;

/**
 * What is to be recorded.
 *
 * @param command its words as the user would type them, which run.json keeps: {@code mpirun -n 4
 *     ./program}, or {@code reprise record -n 4 Program.java}
 * @param mpicc the compiler of the MPI in use, if the user names it
 * @param jitterSeed delays ranks at random around MPI calls, so that other orders come up
 * @param inputs whether clocks and random sources are recorded too
 * @param eventFrames full events, each with so many frames of the stack; empty: no events
 * @param stall when the command is ended though nobody asked for it; empty: never
 * @param onDeadlock of MPI programs; the embedded engine ends a deadlock in any case
 * @param automatic whether nobody asked for this recording: whatever prevents it, the program runs
 * @param begun gets the directory of the run before the ranks start
 * @param live events are taken while the run goes on, and not kept; empty: they are kept. The
 *     embedded engine keeps them in any case
 */
public record RecordRequest(
    List<String> command,
    Optional<Path> mpicc,
    OptionalLong jitterSeed,
    boolean inputs,
    OptionalInt eventFrames,
    RunConditions conditions,
    Optional<Stalled> stall,
    OnDeadlock onDeadlock,
    boolean automatic,
    Consumer<RunDirectory> begun,
    Optional<WhenFull> live) {
  /**
   * What to do when no rank can go on.
   *
   * @param limit how long nothing may move
   * @param told called when the ranks are about to be ended for it
   */
  public record Stalled(Duration limit, Runnable told) {}

  public RecordRequest {
    command = List.copyOf(command);
  }

  /** What happens when ranks of a real MPI wait for each other and can never go on. */
  public enum OnDeadlock {
    /** Nobody looks. */
    IGNORE,
    /** It is said, and the program is left alone. */
    REPORT,
    /** It is said, and the program is ended. */
    STOP
  }

  /** Nobody looks for deadlocks. */
  public RecordRequest(
      List<String> command,
      Optional<Path> mpicc,
      OptionalLong jitterSeed,
      boolean inputs,
      OptionalInt eventFrames,
      RunConditions conditions,
      Optional<Stalled> stall) {
    this(
        command,
        mpicc,
        jitterSeed,
        inputs,
        eventFrames,
        conditions,
        stall,
        OnDeadlock.IGNORE,
        false,
        _ -> {},
        Optional.empty());
  }

  /** The same, with somebody who looks for deadlocks, or nobody. */
  public RecordRequest withOnDeadlock(OnDeadlock what) {
    return new RecordRequest(
        command,
        mpicc,
        jitterSeed,
        inputs,
        eventFrames,
        conditions,
        stall,
        what,
        automatic,
        begun,
        live);
  }

  /** The same, if nobody asked for it. */
  public RecordRequest withAutomatic(boolean unasked) {
    return new RecordRequest(
        command,
        mpicc,
        jitterSeed,
        inputs,
        eventFrames,
        conditions,
        stall,
        onDeadlock,
        unasked,
        begun,
        live);
  }

  /** The same, with somebody who follows the run. */
  public RecordRequest withBegun(Consumer<RunDirectory> follow) {
    return new RecordRequest(
        command,
        mpicc,
        jitterSeed,
        inputs,
        eventFrames,
        conditions,
        stall,
        onDeadlock,
        automatic,
        follow,
        live);
  }

  /** The same, with events that somebody takes while the run goes on. */
  public RecordRequest withLive(Optional<WhenFull> whenFull) {
    return new RecordRequest(
        command,
        mpicc,
        jitterSeed,
        inputs,
        eventFrames,
        conditions,
        stall,
        onDeadlock,
        automatic,
        begun,
        whenFull);
  }

  /** Without events. */
  public RecordRequest(
      List<String> command, Optional<Path> mpicc, OptionalLong jitterSeed, boolean inputs) {
    this(command, mpicc, jitterSeed, inputs, OptionalInt.empty());
  }

  /** Printed where this process prints. */
  public RecordRequest(
      List<String> command,
      Optional<Path> mpicc,
      OptionalLong jitterSeed,
      boolean inputs,
      OptionalInt eventFrames) {
    this(command, mpicc, jitterSeed, inputs, eventFrames, RunConditions.USUAL, Optional.empty());
  }
}
