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
import java.util.Set;
import java.util.function.Consumer;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.Flip;
import org.reprise.exploration.OrderText;
import org.reprise.exploration.Taken;
import org.reprise.trace.UserError;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.text.ShellWords;

/**
 * What an exploration has seen, in a file that grows by a few lines with each execution, so that
 * the search can go on after it was interrupted or killed. A line that was not written to its end
 * is passed over: its execution is run again.
 */
final class SearchState implements AutoCloseable {
  private static final String VERSION = "reprise exploration 4";

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

  static SearchState open(Path directory, List<String> terms) {
    try {
      Path file = directory.resolve("state");
      boolean fresh = !Files.exists(file);
      SearchState state = new SearchState(file);
      if (fresh) {
        state.line(VERSION);
        state.line(terms(terms));
        state.writer.flush();
      }
      return state;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String terms(List<String> terms) {
    return "terms " + ShellWords.join(terms);
  }

  /**
   * Reads back what was seen, up to the last execution that was written to its end.
   *
   * @param terms those of the search that goes on: they must be the ones it was begun with
   * @param left told why runs did not do what they were to do, each run once
   * @return what these executions left open, one for each
   */
  static List<Doubt> restore(
      Path directory,
      List<String> terms,
      Exploration search,
      OutcomeClasses outcomes,
      Path home,
      Consumer<String> left) {
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
      String begun = lines.size() > 1 ? lines.get(1) : "";
      if (!begun.equals(terms(terms))) {
        throw new UserError(
            "an exploration goes on with the options that it was begun with",
            terms.isEmpty() ? "none" : ShellWords.join(terms),
            begun.equals(terms(List.of()))
                ? "leave them out, or begin anew"
                : "give these and no others: " + begun.substring(begun.indexOf(' ') + 1));
      }
      List<RankPlan> orders = List.of();
      Set<Taken> polls = Set.of();
      List<Flip> flips = new ArrayList<>();
      Optional<ExplorationReport.Counted> outcome = Optional.empty();
      for (String line : lines.subList(2, lines.size())) {
        String rest = line.substring(line.indexOf(' ') + 1);
        switch (line.substring(0, Math.max(0, line.indexOf(' ')))) {
          case "orders" -> {
            orders = OrderText.orders(rest);
            polls = Set.of();
            flips.clear();
          }
          case "flip" -> flips.add(OrderText.flip(rest, orders));
          case "doubt" -> doubtsOfOne.add(Doubt.parse(rest));
          case "polls" -> polls = OrderText.polls(rest);
          case "left" -> search.restore(Exploration.Left.valueOf(rest));
          case "outcome" -> outcome = Optional.of(outcome(rest, home));
          case "end" -> {
            switch (rest) {
              case "fresh" -> search.restore(orders, polls, flips);
              case "known" -> search.restoreKnown();
              default -> left.accept(rest.substring(rest.indexOf(' ') + 1));
            }
            outcome.ifPresent(outcomes::restore);
            outcome = Optional.empty();
            doubts.addAll(doubtsOfOne);
            doubtsOfOne.clear();
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
  void fresh(Exploration.Added.Fresh added, ExplorationReport.Counted outcome, List<Doubt> doubts) {
    line("orders " + OrderText.of(added.orders()));
    if (!added.polls().isEmpty()) {
      line("polls " + OrderText.polls(added.polls()));
    }
    added.left().forEach(what -> line("left " + what));
    doubts.forEach(doubt -> line("doubt " + doubt.text()));
    added.flips().forEach(flip -> line("flip " + OrderText.of(flip)));
    line("outcome " + text(outcome));
    line("end fresh");
  }

  /** Notes an execution of a class that was seen before. */
  void known(List<Doubt> doubts) {
    doubts.forEach(doubt -> line("doubt " + doubt.text()));
    line("end known");
  }

  /** Notes that a run did not do what it was to do, and who was the first to do something else. */
  void left(String who) {
    line("end left " + who);
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
