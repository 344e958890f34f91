package org.reprise.cli.runs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.reprise.cli.option.Format;
import org.reprise.cli.terminal.EndingText;
import org.reprise.cli.terminal.Json;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Table;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.TraceError;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunDisk;
import org.reprise.trace.text.PlainText;
import org.reprise.trace.text.ShellWords;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** {@code reprise ls}: the runs there are, the newest first. */
@Command(
    name = "ls",
    aliases = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the recorded runs, the newest first.",
    footerHeading = "%nExample:%n",
    footer = {"  reprise ls", "  reprise ls --failed"})
public final class ListCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  @Option(names = "--names", description = "Print the names alone, one a line.")
  private boolean names;

  @Option(
      names = "--tree",
      description =
          "Print runs that follow another one below it, and what was changed in place of the"
              + " command.")
  private boolean tree;

  @Option(names = "--failed", description = "Only runs whose command failed or was killed.")
  private boolean failed;

  public ListCommand(Session session) {
    this.session = session;
  }

  /**
   * A run as far as it can be read.
   *
   * @param description empty if run.json is damaged or of another version
   * @param depth how many runs stand above it in the tree of those that follow each other
   */
  private record Listed(
      RunDirectory run, Optional<RunDescription> description, boolean recording, int depth) {
    static Listed of(RunDirectory run) {
      try {
        return new Listed(run, Optional.of(run.description()), LiveRecorder.of(run).isPresent(), 0);
      } catch (TraceError e) {
        return new Listed(run, Optional.empty(), false, 0);
      }
    }

    Listed at(int newDepth) {
      return new Listed(run, description, recording, newDepth);
    }

    String name() {
      return depth == 0 ? run.name() : "  ".repeat(depth - 1) + "└ " + run.name();
    }

    Optional<String> parent() {
      return description.flatMap(RunDescription::parent);
    }

    String commandOrChange() {
      return description
          .map(
              known ->
                  depth > 0 && known.change().isPresent()
                      ? PlainText.line(known.change().get().words())
                      : ShellWords.join(known.command()))
          .orElse("?");
    }

    String ended() {
      return recording
          ? "recording"
          : description.map(known -> EndingText.brief(known.ending())).orElse("unreadable");
    }

    /** How many ranks; 0 if nobody knows, or if there were none. */
    int ranks(RunDescription known) {
      return known.ending() instanceof Ending.Unfinished ? run.jobSize() : known.ranks();
    }

    String ranksInWords(RunDescription known) {
      boolean ended = !(known.ending() instanceof Ending.Unfinished);
      return ranks(known) == 0 && !ended ? "?" : String.valueOf(ranks(known));
    }
  }

  @Override
  public Integer call() {
    List<RunDirectory> runs =
        session.store().list().reversed().stream()
            .filter(run -> !failed || run.hasFailed())
            .toList();
    if (names) {
      runs.forEach(run -> session.terminal().out().println(run.name()));
      return 0;
    }
    List<Listed> listed = runs.stream().map(Listed::of).toList();
    if (tree) {
      listed = asTree(listed);
    }
    List<Listed> all = listed;
    switch (format) {
      case JSON -> Json.print(session.terminal().out(), json -> print(json, all));
      case TEXT -> print(all);
    }
    return 0;
  }

  /** Each run above those that follow it; whose parent is not there, or is itself, has none. */
  private static List<Listed> asTree(List<Listed> runs) {
    Set<String> there = runs.stream().map(one -> one.run.name()).collect(Collectors.toSet());
    Map<String, List<Listed>> children = new HashMap<>();
    List<Listed> tree = new ArrayList<>();
    Set<String> placed = new HashSet<>();
    List<Listed> roots = new ArrayList<>();
    for (Listed one : runs) {
      one.parent()
          .filter(there::contains)
          .ifPresentOrElse(
              parent -> children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(one),
              () -> roots.add(one));
    }
    roots.forEach(root -> place(root, 0, children, placed, tree));
    // Files that others wrote may go in a circle.
    runs.forEach(one -> place(one, 0, children, placed, tree));
    return tree;
  }

  private static void place(
      Listed one,
      int depth,
      Map<String, List<Listed>> children,
      Set<String> placed,
      List<Listed> tree) {
    if (placed.add(one.run.name())) {
      tree.add(one.at(depth));
      children
          .getOrDefault(one.run.name(), List.of())
          .forEach(child -> place(child, depth + 1, children, placed, tree));
    }
  }

  private void print(List<Listed> runs) {
    Terminal terminal = session.terminal();
    if (runs.isEmpty()) {
      terminal
          .err()
          .println((failed ? "no failed runs in " : "no runs in ") + session.store().home());
      return;
    }
    // The command stands last: it is what a narrow terminal can do without.
    Table table =
        new Table(
            List.of(
                "NAME",
                "WHEN",
                ">RANKS",
                "ENDED",
                ">SIZE",
                tree ? "COMMAND OR CHANGE" : "COMMAND"));
    for (Listed listed : runs) {
      table.add(
          List.of(
              listed.name(),
              listed.description.map(known -> session.when(known.started())).orElse("?"),
              listed.description.map(listed::ranksInWords).orElse("?"),
              listed.ended(),
              Words.bytes(RunDisk.bytes(listed.run)),
              listed.commandOrChange()));
    }
    OptionalInt columns = terminal.outColumns().get();
    List<String> lines = table.lines(columns);
    terminal.out().println(terminal.out(Style.bold, lines.getFirst()));
    lines.stream().skip(1).forEach(terminal.out()::println);
  }

  private static void print(JsonGenerator json, List<Listed> runs) {
    json.writeStartArray();
    for (Listed listed : runs) {
      json.writeStartObject();
      json.writeStringProperty("name", listed.run.name());
      json.writeStringProperty("path", listed.run.path().toString());
      json.writeStringProperty("ended", listed.ended());
      json.writeNumberProperty("bytes", RunDisk.bytes(listed.run));
      listed.description.ifPresent(
          known -> {
            json.writeStringProperty("started", known.started().toString());
            json.writeNumberProperty("ranks", listed.ranks(known));
            Json.strings(json, "command", known.command());
            known.parent().ifPresent(parent -> json.writeStringProperty("parent", parent));
            known.change().ifPresent(change -> change.write(json, "change"));
          });
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
