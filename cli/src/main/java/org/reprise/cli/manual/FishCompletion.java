package org.reprise.cli.manual;

import java.util.ArrayList;
import java.util.List;
import org.reprise.cli.option.RunNames;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Completion for fish, made from the model of commands: one {@code complete} line for each word.
 */
public final class FishCompletion {
  private static final String RUNS = "(reprise ls --names 2>/dev/null)";

  private final List<String> lines = new ArrayList<>();

  public static String script(CommandLine root) {
    FishCompletion completion = new FishCompletion();
    completion.lines.add("# Completion of reprise for fish.");
    completion.lines.add("complete -c reprise -e");
    completion.root(root);
    ManPage.commands(root).forEach(completion::command);
    return String.join("\n", completion.lines) + "\n";
  }

  private void root(CommandLine root) {
    String first = "__fish_use_subcommand";
    for (CommandSpec command : ManPage.commands(root)) {
      complete(first, "-f -a " + quote(command.name()) + description(ManPage.summary(command)));
    }
    root.getCommandSpec().options().forEach(option -> option(first, option));
  }

  private void command(CommandSpec command) {
    String seen = "__fish_seen_subcommand_from " + String.join(" ", command.names());
    command.options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> option(seen, option));
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      List<String> words = words(parameter);
      if (!words.isEmpty()) {
        complete(seen, "-f -a " + quote(String.join(" ", words)));
      }
    }
  }

  private void option(String when, OptionSpec option) {
    StringBuilder line = new StringBuilder();
    for (String name : option.names()) {
      line.append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
          .append(' ');
    }
    if (option.arity().max() > 0) {
      List<String> words = words(option);
      line.append(words.isEmpty() ? "-r " : "-x -a " + quote(String.join(" ", words)) + " ");
    }
    complete(when, line.toString().stripTrailing() + description(ManPage.text(option)));
  }

  private static List<String> words(ArgSpec argument) {
    List<String> words = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument
          .completionCandidates()
          .forEach(word -> words.add(word.equals(RunNames.MARK) ? RUNS : word));
    }
    return words;
  }

  private void complete(String when, String what) {
    lines.add("complete -c reprise -n " + quote(when) + " " + what);
  }

  private static String description(String text) {
    return text.isEmpty() ? "" : " -d " + quote(text);
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
