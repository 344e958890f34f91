package org.reprise.launch.explore;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.Flip;
import org.reprise.exploration.OrderText;
import org.reprise.trace.UserError;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RunDirectory;

/**
 * What an exploration has seen, in a file that grows by a few lines with each execution, so that
 * the search can go on after it was interrupted or killed. A line that was not written to its end
 * is passed over: its execution is run again.
 */
final class SearchState implements AutoCloseable {
  private static final String VERSION = "reprise exploration 2";

  private final Path file;
  private final BufferedWriter writer;

  private SearchState(Path file) throws IOException {
    this.file = file;
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    writer = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
    if (channel.tryLock() == null) {
      channel.close();
      throw new UserError(
          "this exploration is still under way",
          "another process writes " + file,
          "wait until it ends, or end that process");
    }
  }

  static SearchState open(Path directory) {
    try {
      Path file = directory.resolve("state");
      boolean fresh = !Files.exists(file);
      SearchState state = new SearchState(file);
      if (fresh) {
        state.line(VERSION);
      }
      return state;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads back what was seen, up to the last execution that was written to its end.
   *
   * @return what these executions left open, one for each
   */
  static List<Doubt> restore(
      Path directory, Exploration search, OutcomeClasses outcomes, Path home) {
    try {
      List<Doubt> doubts = new ArrayList<>();
      List<Doubt> doubtsOfOne = new ArrayList<>();
      List<String> lines = Files.readAllLines(directory.resolve("state"));
      if (lines.isEmpty() || !lines.getFirst().equals(VERSION)) {
        throw new UserError(
            "this exploration cannot be continued",
            directory + " was not written by this Reprise",
            "begin it anew");
      }
      List<RankPlan> orders = List.of();
      List<Flip> flips = new ArrayList<>();
      Optional<ExplorationReport.Counted> outcome = Optional.empty();
      for (String line : lines.subList(1, lines.size())) {
        String rest = line.substring(line.indexOf(' ') + 1);
        switch (line.substring(0, Math.max(0, line.indexOf(' ')))) {
          case "orders" -> {
            orders = OrderText.orders(rest);
            flips.clear();
            doubtsOfOne.clear();
          }
          case "flip" -> flips.add(OrderText.flip(rest, orders));
          case "doubt" -> doubtsOfOne.add(Doubt.valueOf(rest));
          case "outcome" -> outcome = Optional.of(outcome(rest, home));
          case "end" -> {
            if (rest.equals("fresh")) {
              search.restore(orders, flips);
            }
            outcome.ifPresent(outcomes::restore);
            doubts.addAll(doubtsOfOne);
          }
          default -> {}
        }
      }
      return doubts;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Notes an execution of a class that was not seen before, and its outcome. */
  void fresh(
      List<RankPlan> orders,
      List<Flip> flips,
      ExplorationReport.Counted outcome,
      List<Doubt> doubts) {
    line("orders " + OrderText.of(orders));
    doubts.forEach(doubt -> line("doubt " + doubt));
    flips.forEach(flip -> line("flip " + OrderText.of(flip)));
    line("outcome " + text(outcome));
    line("end fresh");
  }

  private static String text(ExplorationReport.Counted counted) {
    ExecutionOutcome outcome = counted.outcome();
    return outcome.kind()
        + " "
        + outcome.status()
        + " "
        + counted.count()
        + " "
        + counted.events()
        + " "
        + counted.run().map(RunDirectory::name).orElse("-")
        + " ."
        + Base64.getEncoder().encodeToString(outcome.text().getBytes(StandardCharsets.UTF_8));
  }

  private static ExplorationReport.Counted outcome(String text, Path home) {
    String[] words = text.split(" ");
    Optional<RunDirectory> run =
        Optional.of(words[4])
            .filter(name -> !name.equals("-"))
            .map(name -> new RunDirectory(home.resolve(name)))
            .filter(kept -> Files.isDirectory(kept.path()));
    return new ExplorationReport.Counted(
        new ExecutionOutcome(
            ExecutionOutcome.Kind.valueOf(words[0]),
            Integer.parseInt(words[1]),
            new String(Base64.getDecoder().decode(words[5].substring(1)), StandardCharsets.UTF_8)),
        Long.parseLong(words[2]),
        run,
        Long.parseLong(words[3]));
  }

  private void line(String text) {
    try {
      writer.write(text);
      writer.newLine();
      if (text.startsWith("end")) {
        writer.flush();
      }
    } catch (IOException e) {
      throw new UserError(
          "the state of the exploration cannot be written", file.toString(), "make room there");
    }
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
