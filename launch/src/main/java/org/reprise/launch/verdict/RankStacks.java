package org.reprise.launch.verdict;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.events.CallSites;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.RunDirectory;

/**
 * Asks the ranks of a replay that is stuck where they are. Each rank that is asked, by a signal,
 * writes its stack to a file beside its others. It is only for ranks that will be ended anyway.
 */
final class RankStacks {
  /** A rank that is stuck has nothing else to do; the machine may be busy with others. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Pattern CAUGHT = Pattern.compile("\nSigCgt:\t([0-9a-f]{1,16})\n");

  /** The stacks of those that answered in time. */
  static Map<Rank, CallSite> ask(RunDirectory directory, List<RankHeader> headers)
      throws InterruptedException {
    List<Rank> waitedFor = new ArrayList<>();
    for (RankHeader header : headers) {
      if (catches(header) && send(header)) {
        waitedFor.add(header.rank());
      }
    }
    Map<Rank, CallSite> stacks = new HashMap<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!waitedFor.isEmpty() && System.nanoTime() - end < 0) {
      Thread.sleep(PAUSE);
      waitedFor.removeIf(rank -> isAnswered(directory, rank, stacks));
    }
    return stacks;
  }

  private static boolean isAnswered(RunDirectory directory, Rank rank, Map<Rank, CallSite> stacks) {
    Optional<CallSites> answer = CallSites.readWhenWhole(directory.whereFile(rank));
    // A Python program's lines stand behind the frames of its interpreter.
    answer
        .filter(sites -> !sites.all().isEmpty())
        .ifPresent(sites -> stacks.put(rank, sites.all().getLast()));
    return answer.isPresent();
  }

  /** Whoever does not catch the signal is not the rank any more, and would die of it. */
  private static boolean catches(RankHeader header) {
    int signal = (int) header.get(HeaderField.ANSWER_SIGNAL);
    try {
      String status = Files.readString(Path.of("/proc", Long.toString(header.pid()), "status"));
      Matcher caught = CAUGHT.matcher(status);
      return signal > 0 && caught.find() && new BigInteger(caught.group(1), 16).testBit(signal - 1);
    } catch (IOException gone) {
      return false;
    }
  }

  private static boolean send(RankHeader header) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "kill", "-" + header.get(HeaderField.ANSWER_SIGNAL), Long.toString(header.pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noKill) {
      return false;
    }
  }

  private RankStacks() {}
}
