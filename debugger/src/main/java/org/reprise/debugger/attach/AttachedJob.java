package org.reprise.debugger.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.debugger.gdb.Gdbs;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceDebuggers;
import org.reprise.debugger.source.SourceError;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

/**
 * The ranks of a job that is being recorded. They are stopped one after the other by a gdb each.
 * That is a consistent cut: who stands sends nothing more, so whatever another rank received before
 * it was stopped itself had been sent before. To let them go on, the gdbs leave; they leave, too,
 * when this process dies, since their standard input ends.
 */
public final class AttachedJob implements AutoCloseable {
  private static final Path PTRACE_SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

  private final RunDirectory run;
  private final Gdbs sources = new Gdbs(new Bell(), Set.of());
  private final SortedMap<Integer, RankProcess> standing = new TreeMap<>();
  private int ranks;

  private AttachedJob(RunDirectory run) {
    this.run = run;
  }

  /** The job that records this run; refuses what cannot be looked into. */
  public static AttachedJob of(RunDirectory run) {
    RunDescription description = run.description();
    if (description.mpi().family().ranksShareAProcess()) {
      throw new UserError(
          "gdb cannot read the ranks of a Java program",
          run.name() + " runs on Reprise's own engine",
          "when it has ended: reprise debug " + run.name());
    }
    String here = LiveRecorder.hostName();
    boolean begun = description.ending() instanceof Ending.Unfinished;
    if (begun && !description.recorder().host().equals(here)) {
      throw elsewhere(run, description.recorder().host(), here);
    }
    if (LiveRecorder.of(run).isEmpty()) {
      throw over(run);
    }
    AttachedJob job = new AttachedJob(run);
    job.requireLooks(here);
    return job;
  }

  private static UserError elsewhere(RunDirectory run, String host, String here) {
    return new UserError(
        "only ranks of this machine can be attached to",
        "%s runs on %s, and this is %s".formatted(run.name(), host, here),
        "run reprise attach there; or wait until it has ended");
  }

  private static UserError over(RunDirectory run) {
    return new UserError(
        run.name() + " is not being recorded",
        "it has ended, or none of its processes is there any more",
        "reprise debug " + run.name() + " replays it");
  }

  private void requireLooks(String here) {
    String me = RankProcess.self().orElse("");
    boolean any = false;
    for (Rank rank : run.ranks()) {
      Optional<RankHeader> header = header(rank);
      String host = header.map(RankHeader::host).orElse(here);
      if (!host.equals(here)) {
        throw elsewhere(run, host, here);
      }
      ranks = Math.max(ranks, header.map(RankHeader::ranks).orElse(0));
      Optional<RankProcess> process = RankProcess.of(run, rank);
      any |= process.isPresent();
      Optional<String> other = process.flatMap(RankProcess::owner).filter(who -> !who.equals(me));
      if (other.isPresent()) {
        throw new UserError(
            "the ranks of another user are not attached to",
            "rank %d is a process of %s".formatted(rank.number(), other.get()),
            "let that user run reprise attach");
      }
    }
    if (ranks == 0) {
      throw new UserError(
          "no rank has returned from MPI_Init yet",
          "no files of ranks in " + run.name(),
          "try again in a moment; reprise watch shows when they are there");
    }
    if (!any) {
      throw over(run);
    }
    requirePermission(me);
  }

  private static void requirePermission(String me) {
    try {
      String scope = Files.readString(PTRACE_SCOPE).strip();
      if (!scope.equals("0") && !me.equals("root")) {
        throw new UserError(
            "this machine lets nobody attach to processes that run",
            PTRACE_SCOPE + " is " + scope,
            "sudo sysctl kernel.yama.ptrace_scope=0; or record, and reprise debug");
      }
    } catch (IOException e) {
      // A kernel without that restriction.
    }
  }

  private Optional<RankHeader> header(Rank rank) {
    try {
      return Optional.of(run.header(rank));
    } catch (TraceError e) {
      return Optional.empty();
    }
  }

  public RunDirectory run() {
    return run;
  }

  public SourceDebuggers sources() {
    return sources;
  }

  /** How many ranks the job has, those that have ended included. */
  public int ranks() {
    return ranks;
  }

  /** The process of a rank that stands. */
  public Optional<Long> process(int rank) {
    return Optional.ofNullable(standing.get(rank)).map(RankProcess::number);
  }

  /** What a rank has written of itself; empty if it has not returned from MPI_Init. */
  public Optional<RankHeader> header(int rank) {
    return header(new Rank(rank));
  }

  /** Stops all ranks that live. */
  public void stop() {
    SortedMap<Integer, RankProcess> living = new TreeMap<>();
    for (Rank rank : run.ranks()) {
      RankProcess.of(run, rank).ifPresent(process -> living.put(rank.number(), process));
    }
    standing.clear();
    sources.each(
        living.keySet(),
        rank -> {
          RankProcess process = living.get(rank);
          if (process == null) {
            return "";
          }
          try {
            sources.attach(rank, process.number());
          } catch (UserError e) {
            if (process.isStillIt(run)) {
              throw e;
            }
            return ""; // It has ended meanwhile.
          }
          // While it stands, its number cannot be given to another process.
          if (process.isStillIt(run)) {
            synchronized (standing) {
              standing.put(rank, process);
            }
          } else {
            sources.of(rank).ifPresent(AttachedJob::leave);
          }
          return "";
        });
  }

  /** Whether any rank is left. */
  public boolean isAlive() {
    return run.ranks().stream().anyMatch(rank -> RankProcess.of(run, rank).isPresent());
  }

  /** Lets them go on, as if nobody had been there. */
  public void go() {
    sources.each(
        sources.attached(),
        rank -> {
          sources.of(rank).ifPresent(AttachedJob::leave);
          return "";
        });
    sources.end();
    standing.clear();
  }

  private static void leave(SourceDebugger source) {
    try {
      source.leave();
    } catch (SourceError e) {
      // The rank has ended.
    }
  }

  @Override
  public void close() {
    go();
  }
}
