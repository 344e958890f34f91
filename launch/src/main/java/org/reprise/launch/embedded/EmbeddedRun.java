package org.reprise.launch.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.run.NotRecordable;
import org.reprise.launch.run.RankConsole;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.SystemStreams;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;

/** One run of a Java program on the embedded engine, its streams connected and its inputs kept. */
final class EmbeddedRun {
  /** So long ranks may go on after Ctrl-C. */
  private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(2);

  private final HostedProgram program;
  private final EmbeddedCommand command;
  private final RankConsole console;
  private volatile @Nullable EmbeddedJob job;
  private volatile @Nullable String inputLost;

  EmbeddedRun(HostedProgram program, EmbeddedCommand command, RankConsole console) {
    this.program = program;
    this.command = command;
    this.console = console;
  }

  /** Runs to the end. */
  JobResult run(JobRequest request, StandardInput standardInput) {
    return run(request, standardInput, Optional.empty(), EmbeddedJob::open);
  }

  /**
   * The same, recorded.
   *
   * @param keepInput where a piped standard input is kept, too
   * @param opened to be done when there is a file for each rank
   * @throws NotRecordable if there is no room for these; the program has not started
   */
  JobResult record(
      JobRequest request, StandardInput standardInput, Optional<Path> keepInput, Runnable opened) {
    return run(
        request,
        standardInput,
        keepInput,
        begun -> {
          try {
            begun.open();
          } catch (UserError failure) {
            throw new NotRecordable(failure);
          }
          opened.run();
        });
  }

  private JobResult run(
      JobRequest request,
      StandardInput standardInput,
      Optional<Path> keepInput,
      Consumer<EmbeddedJob> opening) {
    try (InputStream input = open(standardInput, keepInput);
        SystemStreams _ = SystemStreams.take()) {
      EmbeddedJob begun =
          EmbeddedJob.of(
              request,
              new HostedRanks(program, command.program(), rank -> console.streams(rank, input)));
      job = begun;
      opening.accept(begun);
      return begun.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why the standard input could not be kept as a whole, if so. */
  Optional<String> inputLost() {
    return Optional.ofNullable(inputLost);
  }

  /** Ends the run from another thread, as well as can be in a few seconds. */
  void interrupt() {
    EmbeddedJob begun = job;
    if (begun != null) {
      begun.interrupt(INTERRUPT_PATIENCE);
    }
  }

  private InputStream open(StandardInput input, Optional<Path> keep) throws IOException {
    return switch (input) {
      case StandardInput.Inherited() -> new Unclosed(System.in, OutputStream.nullOutputStream());
      case StandardInput.Piped(InputStream stream) ->
          new Unclosed(stream, keep.map(this::copyIn).orElseGet(OutputStream::nullOutputStream));
      case StandardInput.Kept(Path file) -> RunFile.stream(file);
    };
  }

  private OutputStream copyIn(Path file) {
    try {
      return Files.newOutputStream(PrivateFiles.createFile(file));
    } catch (IOException e) {
      inputLost = PrivateFiles.reason(e);
      return OutputStream.nullOutputStream();
    }
  }

  /**
   * Reads from a stream that outlives the run, and keeps a copy of what was read. The program gets
   * its input, also where the copy cannot be written.
   */
  private final class Unclosed extends InputStream {
    private final InputStream stream;
    private final OutputStream copy;

    Unclosed(InputStream stream, OutputStream copy) {
      this.stream = stream;
      this.copy = copy;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = stream.read(bytes, offset, length);
      if (count > 0 && inputLost == null) {
        try {
          copy.write(bytes, offset, count);
        } catch (IOException e) {
          inputLost = PrivateFiles.reason(e);
        }
      }
      return count;
    }

    @Override
    public int available() throws IOException {
      return stream.available();
    }

    @Override
    public void close() throws IOException {
      copy.close();
    }
  }
}
