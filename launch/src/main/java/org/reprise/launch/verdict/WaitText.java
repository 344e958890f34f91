package org.reprise.launch.verdict;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.reprise.trace.Counted;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.WaitNote;
import org.reprise.trace.file.Wire;

/** What the call that a rank is in waits for, in words. */
final class WaitText {
  /** Empty outside MPI, and where the call does not say. */
  static Optional<String> of(RankHeader header) {
    if (header.currentCall().isEmpty()) {
      return Optional.empty();
    }
    List<WaitNote> waits = header.waits();
    if (header.waitCount() > 0) {
      int more = header.waitCount() - waits.size();
      return Optional.of(
          Counted.of(header.waitCount(), "request")
              + waits.stream().map(WaitText::request).collect(Collectors.joining("; ", ": ", ""))
              + (more > 0 ? "; and " + more + " more" : ""));
    }
    int forced = (int) header.get(HeaderField.WAITING_SOURCE);
    if (waits.isEmpty()) {
      return forced >= 0 ? Optional.of("a message of source " + forced) : Optional.empty();
    }
    return Optional.of(message(waits.getFirst(), forced));
  }

  private static String message(WaitNote wait, int forced) {
    if (wait.what() == Wire.Wait.COLLECTIVE) {
      return "the other members" + comm(wait);
    }
    if (wait.what() == Wire.Wait.SEND) {
      return "rank " + wait.peer() + " to receive" + tag(wait) + comm(wait);
    }
    String source =
        wait.peer() >= 0
            ? "source " + wait.peer()
            : forced >= 0 ? "source " + forced + " (it asks for any)" : "any source";
    return "a message of " + source + tag(wait) + comm(wait);
  }

  private static String request(WaitNote wait) {
    return switch (wait.what()) {
      case RECEIVE ->
          "a receive from "
              + (wait.peer() < 0 ? "any source" : wait.peer())
              + tag(wait)
              + comm(wait);
      case SEND -> wait.peer() < 0 ? "a send" : "a send to " + wait.peer() + tag(wait);
      case COLLECTIVE -> "a collective" + comm(wait);
      case UNKNOWN, OTHER -> "one that is neither a send nor a receive";
    };
  }

  private static String tag(WaitNote wait) {
    return wait.tag() < 0 ? ", any tag" : ", tag " + wait.tag();
  }

  private static String comm(WaitNote wait) {
    return wait.comm() == WaitNote.COMM_WORLD
        ? ", in MPI_COMM_WORLD"
        : wait.comm() == 0 ? "" : ", in another communicator than MPI_COMM_WORLD";
  }

  private WaitText() {}
}
