package org.reprise.debugger.jdi;

import com.sun.jdi.connect.spi.Connection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.hold.Beginnings;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.hold.HeldJob;
import org.reprise.debugger.hold.JobProcesses;
import org.reprise.debugger.hold.Stop;
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceDebuggers;
import org.reprise.debugger.source.SourceError;
import org.reprise.launch.embedded.HeldProgram;
import org.reprise.launch.mpi.HeldReplay;
import org.reprise.trace.UserError;

/**
 * The ranks of a Java program: threads of a child JVM that replays the run, from its start each
 * time. The JVM connects to us as it begins, so that every class it loads is known.
 */
public final class JavaRanks extends SourceDebuggers {
  private static final long CONNECT_SECONDS = 120;

  /** Starts the JVM of a replay. */
  public interface Command {
    /**
     * The command's words.
     *
     * @param options for the JVM
     * @param scratch gets the files of the ranks
     * @param control the directory of the debugger
     */
    List<String> words(List<String> options, Path scratch, Path control);
  }

  private final HeldProgram program;
  private final Set<Integer> failed;
  private final Bell bell;
  private volatile @Nullable CompletableFuture<Jvm> jvm;

  /**
   * No JVM yet.
   *
   * @param failed ranks that an exception ended: they are to stand where it is thrown
   */
  private JavaRanks(HeldProgram program, Set<Integer> failed, Bell bell) {
    this.program = program;
    this.failed = Set.copyOf(failed);
    this.bell = bell;
  }

  /** How ranks of a program begin, and what looks into them. */
  public static final class Parts {
    private final HeldProgram program;
    private final Command command;
    private final Set<Integer> failed;
    private final Consumer<String> printed;
    private @Nullable JavaRanks ranks;

    /**
     * Parts of a debugger.
     *
     * @param failed ranks that an exception ended
     * @param printed gets what the ranks print
     */
    public Parts(
        HeldProgram program, Command command, Set<Integer> failed, Consumer<String> printed) {
      this.program = program;
      this.command = command;
      this.failed = failed;
      this.printed = printed;
    }

    public SourceDebuggers sources(Bell bell) {
      JavaRanks made = new JavaRanks(program, failed, bell);
      ranks = made;
      return made;
    }

    public Beginnings beginnings() {
      return new Beginnings() {
        @Override
        public List<Stop> places(List<Stop> near, List<Stop> until) {
          return Collections.nCopies(program.recorded().ranks(), Stop.BEGINNING);
        }

        @Override
        public HeldJob begin(List<Stop> places, Bell bell) {
          return HeldJob.start(Parts.this::start, places, bell);
        }
      };
    }

    private JobProcesses start(Path control) {
      DebugPort port = port();
      boolean done = false;
      try {
        HeldReplay replay =
            program.start(
                scratch -> command.words(List.of(port.option()), scratch, control), printed);
        JavaRanks told = ranks;
        if (told != null) {
          told.connect(port, replay);
        }
        done = true;
        return JobProcesses.of(replay);
      } finally {
        if (!done) {
          port.close();
        }
      }
    }

    private static DebugPort port() {
      try {
        return new DebugPort();
      } catch (IOException e) {
        throw new UserError(
            "the debugger has no port for the JVM of the ranks",
            String.valueOf(e.getMessage()),
            "let it listen on 127.0.0.1, where the JVM connects");
      }
    }
  }

  private void connect(DebugPort port, HeldReplay replay) {
    CompletableFuture<Jvm> connecting = new CompletableFuture<>();
    jvm = connecting;
    Thread.ofPlatform()
        .daemon()
        .name("debug port")
        .start(
            () -> {
              try (port) {
                Connection connection = port.accept(replay.pid());
                connecting.complete(Jvm.of(connection, program, !failed.isEmpty(), bell));
              } catch (IOException | RuntimeException e) {
                connecting.completeExceptionally(e);
              }
            });
    Thread.ofPlatform()
        .daemon()
        .name("debug port's end")
        .start(
            () -> {
              while (!connecting.isDone() && replay.isAlive()) {
                pause();
              }
              port.close();
            });
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String name() {
    return "java";
  }

  @Override
  protected SourceDebugger open(int rank, long process) {
    CompletableFuture<Jvm> connected = jvm;
    if (connected == null) {
      throw new SourceError("the JVM has not been started");
    }
    try {
      return connected.get(CONNECT_SECONDS, TimeUnit.SECONDS).rank(rank);
    } catch (ExecutionException | TimeoutException e) {
      throw new SourceError("the JVM of the ranks has not connected: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceError("interrupted");
    }
  }

  @Override
  protected Set<Integer> watchedFromTheStart() {
    return failed;
  }

  /** They are threads of one process, which is never stopped as a whole. */
  @Override
  public boolean isAttached(int rank) {
    return true;
  }

  @Override
  public void end() {
    super.end();
    CompletableFuture<Jvm> ending = jvm;
    jvm = null;
    if (ending != null && ending.isDone() && !ending.isCompletedExceptionally()) {
      ending.join().close();
    }
  }
}
