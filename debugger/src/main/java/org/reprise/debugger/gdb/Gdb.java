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
import org.reprise.debugger.source.SourceDebugger;
import org.reprise.debugger.source.SourceError;
import org.reprise.debugger.source.SourceFrame;
import org.reprise.trace.UserError;

/**
 * A gdb that is attached to the process of one rank. It starts in a session of its own, so that a
 * Ctrl-C at the prompt does not reach it, and reads no file of settings. It ends with this process,
 * when its standard input does.
 */
public final class Gdb implements SourceDebugger {
  private static final long ANSWER_SECONDS = 60;
  private static final Pattern LINE_OF = Pattern.compile("Line (\\d+) of ");
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]+");

  private static final Map<String, String> FORTRAN_TYPES =
      Map.of(
          "integer(kind=2)", "short",
          "integer(kind=4)", "int",
          "integer(kind=8)", "long",
          "real(kind=4)", "float",
          "real(kind=8)", "double");

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
    } catch (SourceError e) {
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
    asked.values().forEach(one -> one.completeExceptionally(new SourceError("gdb has ended")));
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
        if (record.text("reason").startsWith("exited")) {
          close(); // nobody is left to look into
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
        throw new SourceError("gdb has ended");
      }
      MiRecord record = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (record.word().equals("error")) {
        throw new SourceError(record.text("msg"));
      }
      return record;
    } catch (IOException e) {
      throw new SourceError("gdb has ended");
    } catch (ExecutionException e) {
      throw new SourceError(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
    } catch (TimeoutException e) {
      throw new SourceError("gdb has not answered for " + ANSWER_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SourceError("interrupted");
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

  @Override
  public boolean isStopped() {
    synchronized (lock) {
      return !running && !gone;
    }
  }

  @Override
  public boolean isGone() {
    return gone;
  }

  private Optional<MiRecord> stop() {
    synchronized (lock) {
      return running ? Optional.empty() : Optional.ofNullable(stop);
    }
  }

  @Override
  public Optional<Stopped> stopped() {
    return stop()
        .flatMap(
            why ->
                switch (why.text("reason")) {
                  case "breakpoint-hit" ->
                      Optional.of(new Stopped(Optional.of(why.text("bkptno")), ""));
                  case "signal-received" ->
                      Optional.of(why.text("signal-name"))
                          .filter(name -> !isOurs(name))
                          .map(name -> new Stopped(Optional.empty(), name));
                  default -> Optional.empty();
                });
  }

  private static boolean isOurs(String signal) {
    return signal.equals("0") || signal.equals("SIGINT") || signal.equals("SIGSTOP");
  }

  private void awaitStop() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
    synchronized (lock) {
      while ((running || stop == null) && !gone && System.nanoTime() < end) {
        try {
          lock.wait(100);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new SourceError("interrupted");
        }
      }
      if (running) {
        throw new SourceError("the process does not stop");
      }
    }
  }

  @Override
  public void resume() {
    if (isStopped()) {
      ask("-exec-continue");
    }
  }

  @Override
  public void move(String command) {
    ask("-exec-" + command);
  }

  /** The frame above that of the program's line ends then. */
  @Override
  public void leaveCall() {
    List<SourceFrame> frames = frames();
    int level = frames.isEmpty() ? 0 : frames.getFirst().level();
    if (level > 0) {
      ask("-stack-select-frame " + (level - 1));
      move("finish");
    }
  }

  @Override
  public void halt() {
    if (!isStopped()) {
      try {
        ask("-exec-interrupt --all");
      } catch (SourceError e) {
        if (!isStopped()) {
          throw e;
        }
      }
      awaitStop();
    }
  }

  @Override
  public List<SourceFrame> frames() {
    MiRecord answer = ask("-stack-list-frames --thread 1 0 200");
    List<SourceFrame> frames = new ArrayList<>();
    for (Object frame : answer.list("stack")) {
      frames.add(frame(MiRecord.map(frame)));
    }
    return Modules.of(target).ofProgram(frames);
  }

  private static SourceFrame frame(Map<String, Object> frame) {
    String full = text(frame, "fullname");
    return new SourceFrame(
        number(text(frame, "level")),
        address(text(frame, "addr")),
        text(frame, "func"),
        full.isEmpty() ? text(frame, "file") : full,
        number(text(frame, "line")));
  }

  private static String text(Map<String, Object> frame, String name) {
    return frame.get(name) instanceof String text ? text : "";
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static long address(String text) {
    try {
      return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  @Override
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

  @Override
  public String elements(String array, long from, long to, int level) {
    ask("-gdb-set print elements unlimited");
    ask("-gdb-set print repeats unlimited");
    try {
      return evaluate("*(&(" + array + ")[" + from + "])@" + (to - from), level);
    } finally {
      ask("-gdb-set print elements 200");
      ask("-gdb-set print repeats 10");
    }
  }

  @Override
  public boolean isSame(String expression, int one, int other) {
    String address = "&(" + expression + ")";
    try {
      return evaluate(address, one).equals(evaluate(address, other));
    } catch (SourceError e) {
      return false;
    }
  }

  @Override
  public void assign(String assignment, int level) {
    ask("-data-evaluate-expression --thread 1 --frame " + level + " " + quoted(assignment));
  }

  @Override
  public String insert(String place, Optional<String> condition) {
    return insert("", place, condition);
  }

  @Override
  public String insertOnce(String place, Optional<String> condition) {
    return insert("-t ", place, condition);
  }

  private String insert(String how, String place, Optional<String> condition) {
    String when = condition.map(text -> "-c " + quoted(text) + " ").orElse("");
    MiRecord answer = ask("-break-insert " + how + "-f " + when + quoted(place));
    return answer.map("bkpt").get("number") instanceof String text ? text : "";
  }

  @Override
  public boolean hasBreakpoint(String number) {
    try {
      // Of one that has gone, some gdbs say an error and others show a table without rows.
      return ask("-break-info " + number).map("BreakpointTable").get("nr_rows")
              instanceof String rows
          && !rows.equals("0");
    } catch (SourceError e) {
      return false;
    }
  }

  @Override
  public void removeBreakpoint(String number) {
    try {
      ask("-break-delete " + number);
    } catch (SourceError e) {
      // It has gone with its frame.
    }
  }

  @Override
  public String watch(String expression, int level) {
    ask("-stack-select-frame " + level);
    Matcher hardware = WATCHPOINT.matcher(setWatchpoint(expression));
    if (hardware.find()) {
      return hardware.group(1);
    }
    throw new SourceError(
        expression + " cannot be watched by the processor; watch a part of it, of 8 bytes at most");
  }

  /**
   * By address, so that it outlives the frame. The expression that gdb makes for this is one of C,
   * which it then cannot read in a Fortran program; so there we make it.
   */
  private String setWatchpoint(String expression) {
    if (!console("show language").contains("fortran")) {
      return console("watch -location " + expression);
    }
    String type = console("whatis " + expression).replaceFirst("^type = ", "").strip();
    Matcher address = ADDRESS.matcher(console("print/x &(" + expression + ")"));
    String ofC = FORTRAN_TYPES.get(type);
    if (ofC == null || !address.find()) {
      throw new SourceError(
          expression + " is " + type + "; in Fortran a number can be watched, and no more");
    }
    console("set language c");
    try {
      return console("watch *(" + ofC + " *) " + address.group());
    } finally {
      console("set language auto");
    }
  }

  @Override
  public Optional<Change> changed(String number) {
    return stop()
        .filter(why -> why.text("reason").equals("watchpoint-trigger"))
        .filter(why -> number.equals(why.map("wpt").get("number")))
        .map(why -> new Change(String.valueOf(why.map("value").get("new")), writer()));
  }

  /** The line of the instruction that has written, which the process is one behind. */
  private String writer() {
    List<SourceFrame> frames = frames();
    if (frames.isEmpty()) {
      return "?";
    }
    SourceFrame frame = frames.getFirst();
    return frame.level() == 0 ? lineBehind(frame) : frame.text();
  }

  /** The line of the instruction before the one that the innermost frame is at. */
  private String lineBehind(SourceFrame frame) {
    Matcher line = LINE_OF.matcher(console("info line *($pc-1)"));
    String file = frame.file().substring(frame.file().lastIndexOf('/') + 1);
    return line.find() ? frame.function() + " " + file + ":" + line.group(1) : frame.text();
  }

  @Override
  public void leave() {
    try {
      ask("-target-detach");
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    gone = true;
    process.destroyForcibly();
  }
}
