package org.reprise.debugger.gdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reprise.debugger.hold.Bell;
import org.reprise.trace.UserError;

/**
 * A gdb that is attached to the process of one rank. It starts in a session of its own, so that a
 * Ctrl-C at the prompt does not reach it, and reads no file of settings. It ends with this process,
 * when its standard input does.
 */
public final class Gdb implements AutoCloseable {
  private static final long ANSWER_SECONDS = 60;
  private static final Pattern LINE_OF = Pattern.compile("Line (\\d+) of ");
  private static final Pattern WATCHPOINT = Pattern.compile("Hardware watchpoint (\\d+):");

  private final Process process;
  private final Writer input;
  private final Bell bell;
  private final long target;
  private final Map<Integer, CompletableFuture<MiRecord>> asked = new ConcurrentHashMap<>();
  private final Object lock = new Object();
  private StringBuilder console = new StringBuilder();
  private int token;
  private boolean running;
  private @Nullable MiRecord stop;
  private volatile boolean gone;

  private Gdb(Process process, long target, Bell bell) {
    this.process = process;
    this.target = target;
    this.bell = bell;
    input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    Thread.ofVirtual().name("gdb").start(this::listen);
  }

  /** Attaches a gdb to a process, which stands then. */
  public static Gdb attach(long target, Bell bell) {
    Gdb gdb;
    try {
      gdb =
          new Gdb(
              new ProcessBuilder("setsid", "gdb", "-q", "-nx", "-nh", "--interpreter=mi2")
                  .redirectError(ProcessBuilder.Redirect.DISCARD)
                  .start(),
              target,
              bell);
    } catch (IOException e) {
      throw new UserError(
          "gdb cannot be started",
          String.valueOf(e.getMessage()),
          "install gdb (sudo apt-get install gdb)");
    }
    try {
      gdb.prepare();
      return gdb;
    } catch (GdbError e) {
      gdb.close();
      throw new UserError(
          "gdb cannot look into process " + target,
          String.valueOf(e.getMessage()),
          "see that gdb is installed, and that this machine lets you attach to your own processes");
    }
  }

  private void prepare() {
    for (String setting :
        List.of(
            "mi-async on",
            "pagination off",
            "confirm off",
            "breakpoint pending on",
            "print elements 200",
            "debuginfod enabled off",
            "step-mode off",
            "unwindonsignal on")) {
      ask("-gdb-set " + setting);
    }
    ask("-target-attach " + target);
    awaitStop();
    // A program's own signals are its own business; what ends it is not.
    console("handle SIGUSR1 SIGUSR2 SIGCONT SIGSTOP nostop noprint pass");
    // What is stepped into is the program, not the library that stands before MPI.
    console("skip -rfunction ^P?MPI_");
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        MiRecord.parse(line).ifPresent(this::hear);
      }
    } catch (IOException e) {
      // It is gone.
    }
    gone = true;
    asked.values().forEach(one -> one.completeExceptionally(new GdbError("gdb has ended")));
    synchronized (lock) {
      lock.notifyAll();
    }
    bell.ring();
  }

  private void hear(MiRecord record) {
    switch (record.type()) {
      case '^' -> {
        if (record.word().equals("running")) {
          synchronized (lock) {
            running = true;
            stop = null;
          }
        }
        CompletableFuture<MiRecord> waiting = asked.remove(record.token());
        if (waiting != null) {
          waiting.complete(record);
        }
      }
      case '*' -> {
        synchronized (lock) {
          running = record.word().equals("running");
          stop = running ? null : record;
          lock.notifyAll();
        }
        bell.ring();
      }
      case '~' -> {
        synchronized (lock) {
          console.append(record.word());
        }
      }
      default -> {}
    }
  }

  /** Asks, and waits for the answer. */
  public MiRecord ask(String command) {
    CompletableFuture<MiRecord> answer = new CompletableFuture<>();
    try {
      synchronized (input) {
        int number = ++token;
        asked.put(number, answer);
        input.write(number + command + "\n");
        input.flush();
      }
      if (gone) {
        throw new GdbError("gdb has ended");
      }
      MiRecord record = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (record.word().equals("error")) {
        throw new GdbError(record.text("msg"));
      }
      return record;
    } catch (IOException e) {
      throw new GdbError("gdb has ended");
    } catch (ExecutionException e) {
      throw new GdbError(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
    } catch (TimeoutException e) {
      throw new GdbError("gdb has not answered for " + ANSWER_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GdbError("interrupted");
    }
  }

  /** A command as a user types it, and what gdb prints. */
  public String console(String command) {
    synchronized (lock) {
      console = new StringBuilder();
    }
    ask("-interpreter-exec console " + quoted(command));
    synchronized (lock) {
      return console.toString();
    }
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Whether the process stands. */
  public boolean isStopped() {
    synchronized (lock) {
      return !running && !gone;
    }
  }

  /** Whether gdb itself has ended. */
  public boolean isGone() {
    return gone;
  }

  /** Why the process stands, if gdb has said so. */
  public Optional<MiRecord> stop() {
    synchronized (lock) {
      return running ? Optional.empty() : Optional.ofNullable(stop);
    }
  }

  private void awaitStop() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    synchronized (lock) {
      while ((running || stop == null) && !gone && System.nanoTime() < end) {
        try {
          lock.wait(100);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new GdbError("interrupted");
        }
      }
      if (running) {
        throw new GdbError("the process does not stop");
      }
    }
  }

  /** Lets the process go on, if it stands. */
  public void resume() {
    if (isStopped()) {
      ask("-exec-continue");
    }
  }

  /** Begins a step; how it ends is heard later. */
  public void move(String command) {
    ask(command);
  }

  /** Stops the process, if it runs. */
  public void halt() {
    if (!isStopped()) {
      try {
        ask("-exec-interrupt --all");
      } catch (GdbError e) {
        if (!isStopped()) {
          throw e;
        }
      }
      awaitStop();
    }
  }

  /** The frames of the program, innermost first; those of Reprise and of MPI are left out. */
  public List<GdbFrame> frames() {
    MiRecord answer = ask("-stack-list-frames --thread 1 0 200");
    List<GdbFrame> frames = new ArrayList<>();
    for (Object frame : answer.list("stack")) {
      frames.add(GdbFrame.of(MiRecord.map(frame)));
    }
    return Modules.of(target).ofProgram(frames);
  }

  /** The value of an expression in a frame; it can change nothing. */
  public String evaluate(String expression, int level) {
    ask("-gdb-set may-call-functions off");
    ask("-gdb-set may-write-memory off");
    try {
      return ask("-data-evaluate-expression --thread 1 --frame " + level + " " + quoted(expression))
          .text("value");
    } finally {
      ask("-gdb-set may-write-memory on");
      ask("-gdb-set may-call-functions on");
    }
  }

  /** Gives a variable another value. */
  public void assign(String assignment, int level) {
    ask("-data-evaluate-expression --thread 1 --frame " + level + " " + quoted(assignment));
  }

  /** A breakpoint that is gone when it was met; its number. */
  public String insertOnce(String place, Optional<String> condition) {
    String when = condition.map(text -> "-c " + quoted(text) + " ").orElse("");
    MiRecord answer = ask("-break-insert -t -f " + when + quoted(place));
    return answer.map("bkpt").get("number") instanceof String text ? text : "";
  }

  /** Whether a breakpoint is still there. */
  public boolean hasBreakpoint(String number) {
    try {
      return !ask("-break-info " + number).map("BreakpointTable").isEmpty();
    } catch (GdbError e) {
      return false;
    }
  }

  public void removeBreakpoint(String number) {
    try {
      ask("-break-delete " + number);
    } catch (GdbError e) {
      // It has gone with its frame.
    }
  }

  /** Stops the process whenever a value changes; returns the number of the watchpoint. */
  public String watch(String expression, int level) {
    ask("-stack-select-frame " + level);
    Matcher hardware = WATCHPOINT.matcher(console("watch -location " + expression));
    if (hardware.find()) {
      return hardware.group(1);
    }
    throw new GdbError(
        expression + " cannot be watched by the processor; watch a part of it, of 8 bytes at most");
  }

  /** What gdb says of a change, if that is why the process stands. */
  public Optional<MiRecord> changed(String number) {
    return stop()
        .filter(why -> why.text("reason").equals("watchpoint-trigger"))
        .filter(why -> number.equals(why.map("wpt").get("number")));
  }

  /** The line of the instruction before the one that the innermost frame is at. */
  public String lineBehind(GdbFrame frame) {
    Matcher line = LINE_OF.matcher(console("info line *($pc-1)"));
    String file = frame.file().substring(frame.file().lastIndexOf('/') + 1);
    return line.find() ? frame.function() + " " + file + ":" + line.group(1) : frame.text();
  }

  /** The process that it looks into. */
  public long target() {
    return target;
  }

  /** Ends it at once; the process that it looked into is ended next. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
