package org.reprise.bench;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench/ranks}: the embedded engine, beside MPJ Express where that is installed. */
@Command(
    name = "bench/ranks",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the embedded engine.",
      "messages: bench/java/SmallMessages.java between two ranks, plain, recorded, and on MPJ Express in its multicore mode "
          + "(Debian's libmpj-java), one after the other in each round; every figure is the best block of a process.",
      "growth: a token goes round a ring, then an Allreduce; and everybody sends to rank 0, which receives from any source.",
      "commands: bench/java/RingAndSum.java as a user runs it, with the start of the JVM and the compiler.",
      "enumeration: bench/java/SixMessages.java again and again, on one processor."
    })
public final class EngineSpeed implements Callable<Integer> {
  /** What can be measured by itself. */
  enum Part {
    MESSAGES,
    GROWTH,
    COMMANDS,
    ENUMERATION
  }

  @Parameters(arity = "0..*", description = "${COMPLETION-CANDIDATES}; all if none is named.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(names = "--rounds", description = "How often each side of the ping-pong is run (7).")
  private int rounds = 7;

  @Option(names = "--ranks", split = ",", description = "Sizes (100,300,1000,3000,10000).")
  private List<Integer> ranks = List.of(100, 300, 1_000, 3_000, 10_000);

  @Option(names = "--seconds", description = "How long each program is enumerated (5).")
  private int seconds = 5;

  private final Path root = Path.of(System.getProperty("reprise.root", "."));

  private EngineSpeed() {}

  public static void main(String[] arguments) {
    System.exit(Bench.execute(new EngineSpeed(), arguments));
  }

  @Override
  public Integer call() {
    try (Workshop workshop = new Workshop(root)) {
      if (parts.contains(Part.MESSAGES)) {
        new MessageTimes(workshop).print(rounds);
      }
      if (parts.contains(Part.GROWTH)) {
        RankGrowth.print(ranks);
      }
      if (parts.contains(Part.COMMANDS)) {
        new RankCommands(workshop).print(ranks);
      }
      // The last one: it leaves the process on one processor.
      if (parts.contains(Part.ENUMERATION)) {
        new EnumerationRate(workshop).print(seconds);
      }
    }
    return 0;
  }
}
