package org.reprise.anomaly.agent;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.AnomalyDetector;
import org.reprise.anomaly.agent.detect.Outsiders;
import org.reprise.anomaly.agent.instrument.ClassRewriter;
import org.reprise.anomaly.agent.instrument.EveryAccess;
import org.reprise.anomaly.agent.instrument.FewerChecks;
import org.reprise.anomaly.agent.instrument.OutsideClasses;
import org.reprise.anomaly.agent.instrument.Warnings;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.ProgramAnalyses;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.jdk.BlockTracker;
import org.reprise.anomaly.agent.jdk.JdkClasses;
import org.reprise.anomaly.agent.jdk.Jitter;
import org.reprise.anomaly.agent.report.Ending;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.hooks.Blocks;
import org.reprise.anomaly.hooks.Hooks;
import org.reprise.anomaly.report.AnomalyJson;
import org.reprise.anomaly.report.AnomalyText;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Obstacle;

/** Where the virtual machine enters: before the program's main, or when the agent is attached. */
public final class Agent {
  /** The program may exchange System.err; what the agent has to say goes where it went at first. */
  private static final PrintStream ERR = System.err;

  private Agent() {}

  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  static void warn(String message) {
    ERR.println("reprise: " + message);
  }

  /** Whatever goes wrong here must not keep the program from running. */
  private static void start(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      install(Options.parse(arguments == null ? "" : arguments), instrumentation);
    } catch (RuntimeException | LinkageError e) {
      warn("the program runs unchecked: " + e);
    }
  }

  private static void install(Options options, Instrumentation instrumentation) {
    Sites sites = new Sites();
    Variables variables = new Variables();
    Findings findings = new Findings();
    Findings taken = new Findings();
    Intentions intentions = new Intentions();
    Outsiders outsiders = new Outsiders(options.scope(), findings);
    AnomalyDetector detector =
        new AnomalyDetector(sites, variables, findings, outsiders, options.keepsStacks());
    Ending ending = new Ending();
    BlockTracker tracker =
        new BlockTracker(detector::obstacle, ending, options.scope(), findings::addTrusted);
    detector.findForksWith(tracker::forkOf);
    tracker.readSourcesWith(detector::readSource);
    tracker.findPlacesWith(site -> sites.get(site).place());
    detector.takeVerdictsFrom(
        threadOrder -> {
          taken.addAll(findings);
          for (String unawaited : tracker.unawaited(threadOrder)) {
            findings.add(new Obstacle(unawaited));
          }
          ending.unchecked(options.scope()).ifPresent(findings::add);
          AnomalyVerdict verdict = findings.verdict(options.mask().and(intentions.names()));
          findings.clear();
          return verdict;
        });
    Warnings warnings =
        (className, method, why) -> {
          String message = className + "." + method + " is not checked: " + why;
          warn(message);
          findings.add(new Obstacle(message));
        };
    Hierarchy hierarchy = new Hierarchy();
    ClassRewriter instrumenter =
        options.isPrecise()
            ? new EveryAccess(sites, variables, hierarchy, options.scope(), warnings)
            : fewerChecks(options, sites, variables, hierarchy, warnings, findings);
    if (options.explains()) {
      instrumenter.explainTo(Agent::warn);
    }
    openPackages(instrumentation);
    HookClasses.install(instrumentation, Hooks.class.getModule());
    Hooks.install(detector);
    if (options.jitter().isPresent()) {
      tracker.neverQuery(); // There are no pauses between iterations that are declared ahead.
    }
    Blocks.install(
        options.jitter().isPresent() ? new Jitter(tracker, options.jitter().getAsLong()) : tracker);
    new JdkClasses(
            message -> {
              warn(message);
              findings.add(new Obstacle(message));
            })
        .install(instrumentation);
    instrumentation.addTransformer(
        new ProgramClasses(
            instrumenter,
            new OutsideClasses(hierarchy, outsiders::number),
            options.scope(),
            intentions,
            findings,
            ending),
        true);
    if (options.slices()) {
      System.setOut(new SilentOutput());
      if (options.explains()) {
        warn("what the program prints to standard output is skipped: it decides no access");
      }
    }
    AtomicBoolean isReported = new AtomicBoolean();
    Runnable report =
        () -> {
          if (isReported.compareAndSet(false, true)) {
            for (String cutShort : tracker.cutShort(detector.first())) {
              findings.add(new Obstacle(cutShort));
            }
            detector.finish();
            // What somebody took out on the way belongs to the whole run, too.
            taken.addAll(findings);
            report(options, taken, intentions, ending);
          }
        };
    ending.reportWith(report);
    Runtime.getRuntime().addShutdownHook(new Thread(report, "reprise report"));
  }

  private static FewerChecks fewerChecks(
      Options options,
      Sites sites,
      Variables variables,
      Hierarchy hierarchy,
      Warnings warnings,
      Findings findings) {
    FewerChecks instrumenter =
        new FewerChecks(sites, variables, hierarchy, options.scope(), warnings);
    if (options.analyzes()) {
      instrumenter.analyzeWith(
          new ProgramAnalyses(
              hierarchy,
              surprise -> findings.add(new Obstacle(surprise)),
              options.explains() ? Agent::warn : line -> {}));
    }
    return instrumenter;
  }

  /** Which stage a pipeline began with, and the like, is in private fields of java.base. */
  private static void openPackages(Instrumentation instrumentation) {
    Module base = Object.class.getModule();
    Set<Module> agent = Set.of(Agent.class.getModule());
    instrumentation.redefineModule(
        base,
        Set.of(),
        Map.of(),
        Map.of("java.util.stream", agent, "java.util.concurrent", agent, "java.util", agent),
        Set.of(),
        Map.of());
  }

  private static void report(
      Options options, Findings findings, Intentions intentions, Ending ending) {
    ending.obstacles(options.scope()).forEach(findings::add);
    AnomalyVerdict verdict = findings.verdict(options.mask().and(intentions.names()));
    if (options.report().isEmpty()) {
      tell(verdict);
      return;
    }
    Path report = options.report().get();
    boolean isOneOfMany = Files.isDirectory(report);
    // A virtual machine that only starts others has nothing to say, unless no other has.
    String name = ending.hasBegun() ? "verdict-" : "idle-";
    Path file =
        isOneOfMany ? report.resolve(name + ProcessHandle.current().pid() + ".json") : report;
    try {
      Files.writeString(file, AnomalyJson.of(verdict));
      if (!isOneOfMany) {
        warn("the verdict is '" + verdict.word().text() + "'; its report is in " + file);
      }
    } catch (IOException e) {
      tell(verdict);
      warn("the verdict stands above, since it cannot be written to " + file + ": " + e);
    }
  }

  private static void tell(AnomalyVerdict verdict) {
    AnomalyText.ofRun(verdict).forEach(Agent::warn);
  }
}
