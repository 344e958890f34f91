package org.reprise.launch.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.reprise.ranks.host.LineOutput;
import org.reprise.ranks.host.RankStreams;
import org.reprise.trace.UserError;

/**
 * Where the ranks of one JVM print.
 *
 * @param outMarked whether each line of standard output begins with its rank
 * @param errMarked whether each line of standard error does
 * @param files directory that gets each rank's output as {@code rank-<r>.out} and {@code
 *     rank-<r>.err} instead
 */
public record RankConsole(
    OutputStream out,
    OutputStream err,
    Charset charset,
    boolean outMarked,
    boolean errMarked,
    Optional<Path> files) {
  public RankConsole(
      OutputStream out, OutputStream err, Charset charset, boolean outMarked, boolean errMarked) {
    this(out, err, charset, outMarked, errMarked, Optional.empty());
  }

  public RankConsole into(Optional<Path> directory) {
    return new RankConsole(out, err, charset, outMarked, errMarked, directory);
  }

  /** Where what the ranks print is not wanted. */
  public RankConsole silent() {
    OutputStream nowhere = OutputStream.nullOutputStream();
    return new RankConsole(nowhere, nowhere, charset, false, false, Optional.empty());
  }

  /** The streams of one rank. As with mpirun, only rank 0 has a standard input to read. */
  public RankStreams streams(int rank, InputStream input) {
    String mark = "[" + rank + "] ";
    return new RankStreams(
        () ->
            files
                .map(to -> file(to, rank, "out"))
                .orElseGet(() -> new LineOutput(out, outMarked ? mark : "")),
        () ->
            files
                .map(to -> file(to, rank, "err"))
                .orElseGet(() -> new LineOutput(err, errMarked ? mark : "")),
        () -> rank == 0 ? input : InputStream.nullInputStream(),
        charset);
  }

  private static OutputStream file(Path directory, int rank, String suffix) {
    try {
      Files.createDirectories(directory);
      return Files.newOutputStream(directory.resolve("rank-" + rank + "." + suffix));
    } catch (IOException e) {
      throw new UserError(
          "cannot write the output of the ranks to " + directory,
          String.valueOf(e.getMessage()),
          "name a directory you may write to");
    }
  }
}
