package org.reprise.launch.embedded;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.process.KnownInput;
import org.reprise.launch.run.RunOutput;
import org.reprise.ranks.host.RankStreams;

/**
 * Keeps what the ranks of one execution print, and gives each execution the same standard input.
 */
final class CapturedOutput {
  private static final Charset CHARSET = StandardCharsets.UTF_8;

  private final KnownInput input;
  private final @Nullable ByteArrayOutputStream[] out;
  private final @Nullable ByteArrayOutputStream[] err;

  CapturedOutput(int ranks, KnownInput input) {
    this.input = input;
    out = new @Nullable ByteArrayOutputStream[ranks];
    err = new @Nullable ByteArrayOutputStream[ranks];
  }

  RankStreams streams(int rank) {
    return new RankStreams(
        () -> begin(out, rank),
        () -> begin(err, rank),
        () -> rank == 0 ? input.open() : InputStream.nullInputStream(),
        CHARSET);
  }

  private static OutputStream begin(@Nullable ByteArrayOutputStream[] texts, int rank) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    texts[rank] = text;
    return text;
  }

  /** What the ranks have printed to their standard outputs. */
  RunOutput output() {
    List<RunOutput.Part> parts = new ArrayList<>();
    for (int rank = 0; rank < out.length; rank++) {
      if (out[rank] != null) {
        parts.add(RunOutput.ofRank(rank, text(out[rank])));
      }
    }
    return new RunOutput(parts);
  }

  /** What the ranks have printed, which is forgotten here. */
  List<ProgramOutcome.Printed> take() {
    List<ProgramOutcome.Printed> printed = new ArrayList<>();
    for (int rank = 0; rank < out.length; rank++) {
      if (out[rank] != null || err[rank] != null) {
        printed.add(new ProgramOutcome.Printed(rank, text(out[rank]), text(err[rank])));
      }
    }
    Arrays.fill(out, null);
    Arrays.fill(err, null);
    return printed;
  }

  private static String text(@Nullable ByteArrayOutputStream bytes) {
    return bytes == null ? "" : bytes.toString(CHARSET);
  }
}
