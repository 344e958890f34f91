package org.reprise.ranks.libmpi;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.RankEnded;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.LineOutput;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.ProgramStack;
import org.reprise.ranks.host.RankStreams;
import org.reprise.ranks.host.SystemStreams;

/** This process as one rank of an MPI job: runs a Java program on the libmpi of the job. */
public final class MpiRank {
  private static final List<String> LAUNCHERS_VARIABLES =
      List.of("OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_FD", "PMIX_RANK", "SLURM_PROCID");

  private MpiRank() {}

  /** Whether a launcher of MPI jobs started this process. */
  public static boolean isOfAJob(Map<String, String> environment) {
    return LAUNCHERS_VARIABLES.stream().anyMatch(environment::containsKey);
  }

  /**
   * Runs a program in the calling thread, which must not be a virtual one: libmpi belongs to it.
   *
   * @return what the process is to exit with
   */
  public static int run(
      HostedProgram program,
      ProgramCommand command,
      Map<String, String> environment,
      Charset charset) {
    LibMpiFabric fabric = LibMpiFabric.open(environment);
    int rank = fabric.world().rank();
    PrintStream err = System.err;
    CurrentRank.enter(fabric, new LibcInputs(), (_, _) -> {});
    try (SystemStreams _ = SystemStreams.take()) {
      new HostedRanks(program, command, _ -> streams(charset)).run(rank);
      return 0;
    } catch (RankEnded ended) {
      return left(fabric, ended.status());
    } catch (Throwable thrown) {
      err.print(
          "reprise: rank "
              + rank
              + " ended the run by an exception\n"
              + ProgramStack.text(thrown).stripTrailing()
              + "\n");
      err.flush();
      return left(fabric, 1);
    } finally {
      CurrentRank.leave();
    }
  }

  /** A rank that ends with an error takes the job with it: the others would wait for it. */
  private static int left(LibMpiFabric fabric, int status) {
    if (fabric.isRunning() && status != 0) {
      fabric.abort(status);
    }
    return status;
  }

  private static RankStreams streams(Charset charset) {
    return new RankStreams(
        () -> new LineOutput(new FileOutputStream(FileDescriptor.out), ""),
        () -> new LineOutput(new FileOutputStream(FileDescriptor.err), ""),
        () -> new FileInputStream(FileDescriptor.in),
        charset);
  }
}
