package org.reprise.cli.command;

import java.util.OptionalInt;
import org.reprise.cli.option.RunOptions;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.Engine;
import org.reprise.launch.always.AlwaysOn;
import org.reprise.launch.run.NewRun;
import org.reprise.launch.run.NotRecordable;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.RunRequest;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RunStore;

/**
 * A recording that nobody asked for. Whatever goes wrong with it, the program runs and ends as it
 * would without it; and nothing is said, but on a terminal where a recorded program failed.
 */
final class AutomaticRecording {
  private final Session session;
  private final RunOptions options;
  private final RunStore store;

  AutomaticRecording(Session session, RunOptions options, RunStore store) {
    this.session = session;
    this.options = options;
    this.store = store;
  }

  int record() {
    Engine engine = options.engine(session, _ -> {});
    RecordRequest request =
        new RecordRequest(
                options.command("record"),
                options.mpicc(),
                options.jitter(),
                true,
                OptionalInt.empty())
            .withAutomatic(true);
    try {
      return finish(engine.record(store, request, this::finish));
    } catch (NotRecordable _) {
      return engine.run(new RunRequest(request.command(), request.mpicc(), request.jitterSeed()));
    }
  }

  private int finish(Recording recording) {
    try {
      keepOrNot(recording);
    } catch (UserError cannotTidy) {
      // Another Reprise tidies at the same time, or there is no permission: nobody asked for it.
    }
    return recording.exitStatus();
  }

  private void keepOrNot(Recording recording) {
    if (recording.summary().isEmpty()) {
      NewRun.removeQuietly(recording.run());
      return;
    }
    AlwaysOn.of(session.shell()).quota().enforce(store);
    boolean ended = recording.description().ending().isSuccess();
    if (!ended && session.terminal().errIsTerminal()) {
      session
          .terminal()
          .tell("this run is recorded: reprise replay " + recording.run().name() + " repeats it");
    }
  }
}
