package org.reprise.launch.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Processes that are sent a signal by {@code kill}, for which Java has no word. */
public final class Signalled {
  /** Sends it; a process that is no more gets none. */
  public static void send(String signal, List<Long> processes) {
    if (processes.isEmpty()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    processes.forEach(process -> command.add(Long.toString(process)));
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      // Then they burn a core, or end with their job.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Signalled() {}
}
