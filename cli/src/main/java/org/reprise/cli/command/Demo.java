package org.reprise.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.checkup.MpiTools;
import org.reprise.cli.checkup.SystemPackages;
import org.reprise.cli.demo.DemoStage;
import org.reprise.cli.demo.JavaDemo;
import org.reprise.cli.demo.MpiDemo;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code reprise demo}: the point of Reprise in a minute. What it records and replays it does by
 * the very commands it prints, so what it shows is what a user will see.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the point of Reprise in a minute.",
      "A program whose answer differs from run to run is recorded once and gives that one answer in "
          + "every replay. With an MPI (as root, it is installed) it is shown for a C program, and in any case for Java programs on Reprise's own engine. "
          + "Exit status 0 means that every replay gave the recorded answer."
    },
    footerHeading = "%nExample:%n",
    footer = "  reprise demo")
public final class Demo implements Callable<Integer> {
  private static final int FAILED = 1;

  private final Session session;

  @Option(names = "--keep", description = "Keep the program and its run, to look at them later.")
  private boolean keep;

  public Demo(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    Path root = root();
    Path directory = Files.createTempDirectory("reprise-demo-");
    // Not in a finally: who presses Ctrl-C leaves nothing behind either.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(directory), "demo clean-up"));
    DemoStage stage = new DemoStage(session, directory);
    Optional<MpiTools> mpi = mpi(root, stage);
    boolean good = mpi.isEmpty() || new MpiDemo(stage, root, mpi.get()).show();
    good &= new JavaDemo(stage, root).show();
    if (!good) {
      return FAILED;
    }
    if (keep) {
      stage.say("The runs are kept: REPRISE_HOME=" + directory.resolve("runs") + " reprise ls");
    }
    stage.say(
        mpi.isPresent()
            ? "Now your own program: reprise record mpirun -n 4 ./program, then reprise replay"
            : "Now your own program: reprise record -n 4 Program.java, then reprise replay");
    stage.say("To see who waits for whom and what races, in the browser: reprise view");
    return 0;
  }

  private void cleanUp(Path directory) {
    if (keep) {
      return;
    }
    try {
      PrivateFiles.removeTree(directory);
    } catch (IOException e) {
      session.terminal().tell("cannot remove " + directory + ": " + e.getMessage());
    }
  }

  private static Path root() {
    String root = System.getProperty("reprise.root", "");
    if (root.isEmpty() || !Files.exists(Path.of(root, "examples/c/order_sum.c"))) {
      throw new UserError(
          "the demo needs the examples of a checkout",
          root.isEmpty() ? "not started by ./reprise" : "no examples/c/order_sum.c in " + root,
          "start it as ./reprise demo in the checkout");
    }
    return Path.of(root);
  }

  private Optional<MpiTools> mpi(Path root, DemoStage stage) throws IOException {
    Optional<MpiTools> found = complete();
    if (found.isEmpty() && SystemPackages.isRoot()) {
      stage.step("No MPI is installed; installing it.");
      stage.run(List.of(root.resolve("scripts/packages").toString(), "install"));
      found = complete();
    }
    if (found.isEmpty()) {
      stage.say(
          "There is no MPI here (no mpicc with its mpirun on PATH), so only Java is shown. Get one:");
      stage.say("  " + SystemPackages.install("libopenmpi-dev", "openmpi-bin", "gcc"));
    }
    return found;
  }

  private Optional<MpiTools> complete() {
    return MpiTools.findAll(session.environment()).stream()
        .filter(mpi -> mpi.mpirun().isPresent())
        .findFirst();
  }
}
