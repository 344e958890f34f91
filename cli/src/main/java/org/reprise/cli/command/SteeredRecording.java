package org.reprise.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.reprise.cli.option.RunName;
import org.reprise.cli.option.RunOptions;
import org.reprise.cli.report.ChoicePrompt;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.exploration.OrderRules;
import org.reprise.exploration.Steering;
import org.reprise.launch.explore.SteeredRun;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.Words;

/** {@code reprise record --choose} and {@code --rules}: a run whose order is prescribed. */
final class SteeredRecording {
  private final Session session;
  private final RunOptions options;
  private final Optional<OrderRules> rules;
  private final Function<RecordedRun, Steering.Guide> guides;

  /**
   * A recording.
   *
   * @param rules a file of them; empty: the user is asked
   */
  SteeredRecording(Session session, RunOptions options, Optional<Path> rules) {
    this.session = session;
    this.options = options;
    this.rules = rules.map(SteeredRecording::read);
    ChoicePrompt prompt = new ChoicePrompt(session.terminal());
    guides = this.rules.isPresent() ? _ -> this.rules.get() : run -> prompt.in(session.events(run));
  }

  private static OrderRules read(Path file) {
    try {
      return OrderRules.parse(file.toString(), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UserError(
          "the rules cannot be read", String.valueOf(e.getMessage()), "name a file of text");
    }
  }

  /** Records, prints what the program printed, and says what to exit with. */
  int record(RunStore store, Optional<String> name) {
    name.ifPresent(wanted -> RunName.check(store, wanted));
    try (ProgressLine progress = new ProgressLine(session.terminal());
        SteeredRun steered =
            new SteeredRun(
                store,
                told -> options.engine(session, told, input()),
                options.mpicc(),
                ReplayRequest.STALL_LIMIT,
                run -> {
                  progress.erase();
                  return guides.apply(run);
                },
                run -> progress.show("run " + run))) {
      SteeredRun.Steered made = steered.record(options.command("record"), options.jitter());
      progress.erase();
      print(steered.output());
      List<String> unkept = rules.map(each -> each.unkept(made.execution())).orElse(List.of());
      unkept.forEach(session.terminal()::tell);
      RunDirectory run =
          steered.keep(made, store, name.orElseGet(() -> options.programName(session)));
      store.setLatest(run);
      session
          .terminal()
          .tell(
              "recorded "
                  + run.path()
                  + ": the order that was prescribed, in "
                  + Words.count(made.runs(), "run")
                  + "; it "
                  + made.outcome().words());
      return unkept.isEmpty() ? made.exitStatus() : Replay.NOT_THE_SAME;
    }
  }

  /** What is typed answers questions: a launcher would take it for the program. */
  private StandardInput input() {
    return rules.isPresent()
        ? session.surroundings().input()
        : new StandardInput.Piped(InputStream.nullInputStream());
  }

  private void print(Path output) {
    try (var files = Files.list(output)) {
      for (Path file : files.sorted().toList()) {
        boolean errors = file.getFileName().toString().endsWith("err");
        OutputStream to =
            errors ? session.terminal().programErr() : session.terminal().programOut();
        Files.copy(file, to);
        to.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
