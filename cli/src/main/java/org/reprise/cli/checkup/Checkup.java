package org.reprise.cli.checkup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.interposer.Interposer;
import org.reprise.launch.interposer.MpiInstallation;
import org.reprise.trace.UserError;
import org.reprise.trace.text.Words;

/** Looks at the machine: one finding for each thing that Reprise uses. */
public final class Checkup {
  private static final long BYTES_FREE_GOOD = 1_000_000_000;
  private static final long BYTES_FREE_MIN = 1_000_000;

  private final Session session;
  private final Map<String, String> environment;

  public Checkup(Session session) {
    this.session = session;
    this.environment = session.environment();
  }

  /** How a thing was found. */
  public enum Status {
    OK,
    /** It is not there, or not as it should be; recording works without. */
    MISSING,
    /** Nothing can be recorded like this. */
    FAILED
  }

  /**
   * One thing that was looked at.
   *
   * @param fix what to do about it, a command where there is one; empty if nothing is to be done
   */
  public record Item(String name, Status status, String found, String fix) {
    static Item ok(String name, String found) {
      return new Item(name, Status.OK, found, "");
    }
  }

  public List<Item> findings() {
    List<Item> findings = new ArrayList<>();
    findings.add(Item.ok("JDK", Runtime.version() + " in " + System.getProperty("java.home")));
    findings.add(program("C compiler", "cc", "gcc"));
    findings.addAll(mpis());
    findings.add(program("Fortran", "gfortran", "gfortran"));
    findings.add(program("gdb", "gdb", "gdb"));
    findings.add(tracing());
    findings.add(mpi4py());
    findings.add(runs());
    return findings;
  }

  private Item program(String title, String name, String debianPackage) {
    Optional<Tool> tool = Tool.find(environment, name);
    if (tool.isEmpty()) {
      return new Item(
          title, Status.MISSING, "no " + name + " on PATH", SystemPackages.install(debianPackage));
    }
    String version = tool.get().ask(environment, "--version").firstLine();
    return Item.ok(title, tool.get().file() + ": " + version);
  }

  /** One working MPI is enough; where there is none, Java programs can be recorded all the same. */
  private List<Item> mpis() {
    List<Item> found = MpiTools.findAll(environment).stream().map(this::mpi).toList();
    if (found.stream().anyMatch(mpi -> mpi.status() == Status.OK)) {
      return found;
    }
    List<Item> missing = new ArrayList<>(found);
    missing.add(
        new Item(
            "MPI",
            Status.MISSING,
            (found.isEmpty() ? "no mpicc on PATH" : "none that works")
                + ": only Java programs can be recorded, on Reprise's own engine",
            SystemPackages.install("libopenmpi-dev", "openmpi-bin")));
    return missing;
  }

  private Item mpi(MpiTools tools) {
    Optional<MpiInstallation> mpi = MpiInstallation.ask(tools.mpicc(), session.surroundings());
    if (mpi.isEmpty()) {
      return new Item(
          "MPI",
          Status.MISSING,
          tools.mpicc() + " does not compile",
          "see why: " + tools.mpicc() + " -show");
    }
    String name = mpi.get().version();
    if (tools.mpirun().isEmpty()) {
      return new Item(
          name,
          Status.MISSING,
          tools.mpicc() + " has no mpirun beside it",
          SystemPackages.install(name.startsWith("Open") ? "openmpi-bin" : "mpich"));
    }
    try {
      Path library = Interposer.libraryFor(mpi.get(), session.surroundings());
      return Item.ok(
          name, tools.mpicc() + ", " + tools.mpirun().get() + "\ninterposer built: " + library);
    } catch (UserError error) {
      return new Item(name, Status.MISSING, error.cause() + "\n" + error.found(), error.fix());
    }
  }

  private Item tracing() {
    Path scope = Path.of("/proc/sys/kernel/yama/ptrace_scope");
    if (!Files.exists(scope)) {
      return Item.ok("ptrace", "not restricted");
    }
    try {
      String value = Files.readString(scope).strip();
      return value.equals("0") || SystemPackages.isRoot()
          ? Item.ok("ptrace", "not restricted (scope " + value + ")")
          : new Item(
              "ptrace",
              Status.MISSING,
              "scope " + value + ": a debugger cannot attach to running ranks",
              "sudo sysctl kernel.yama.ptrace_scope=0");
    } catch (IOException e) {
      return new Item("ptrace", Status.MISSING, String.valueOf(e.getMessage()), "");
    }
  }

  private Item mpi4py() {
    List<String> without = new ArrayList<>();
    for (Tool python : Tool.findAll(environment, "python3")) {
      Tool.Answer answer =
          python.ask(environment, "-c", "import mpi4py; print(mpi4py.__version__)");
      if (answer.ok()) {
        return Item.ok("mpi4py", answer.firstLine() + " in " + python.file() + others(without));
      }
      without.add(python.file().toString());
    }
    return new Item(
        "mpi4py",
        Status.MISSING,
        without.isEmpty() ? "no python3 on PATH" : "not in " + String.join(", ", without),
        SystemPackages.install("python3-mpi4py"));
  }

  private static String others(List<String> without) {
    return without.isEmpty() ? "" : ", but not in " + String.join(", ", without);
  }

  private Item runs() {
    Path home = session.store().home();
    Path existing = home;
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
      return new Item(
          "run directory",
          Status.FAILED,
          existing + " cannot be written to",
          "set REPRISE_HOME to a directory you may write to");
    }
    try {
      long free = Files.getFileStore(existing).getUsableSpace();
      String found = home + ", " + Words.bytes(free) + " free";
      return free < BYTES_FREE_GOOD
          ? new Item(
              "run directory",
              free < BYTES_FREE_MIN ? Status.FAILED : Status.MISSING,
              found,
              "make room (reprise rm), or set REPRISE_HOME to another disk")
          : Item.ok("run directory", found);
    } catch (IOException e) {
      return new Item("run directory", Status.FAILED, String.valueOf(e.getMessage()), "");
    }
  }
}
