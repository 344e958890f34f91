package org.reprise.cli.manual;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of one command in roff, written from its model. */
public final class ManPage {
  private final CommandSpec command;
  private final StringBuilder roff = new StringBuilder();

  public ManPage(CommandSpec command) {
    this.command = command;
  }

  /** All commands for users in the order they were added, each once however many names it has. */
  public static List<CommandSpec> commands(CommandLine root) {
    return root.getSubcommands().values().stream()
        .distinct()
        .map(CommandLine::getCommandSpec)
        .filter(command -> !command.usageMessage().hidden())
        .toList();
  }

  /** The first sentence of a command's description. */
  public static String summary(CommandSpec command) {
    return command.usageMessage().description().length == 0
        ? ""
        : plain(command.usageMessage().description()[0]);
  }

  /** The description of an option or parameter, with its variables filled in. */
  public static String text(ArgSpec argument) {
    String text = String.join(" ", argument.description());
    if (argument.completionCandidates() != null) {
      text =
          text.replace(
              "${COMPLETION-CANDIDATES}", String.join(", ", argument.completionCandidates()));
    }
    return plain(text);
  }

  private static String plain(String markup) {
    return Ansi.OFF.string(markup.replace("%n", " "));
  }

  /** The page's name: {@code reprise-record}. */
  public String name() {
    return command.qualifiedName("-");
  }

  public String roff() {
    roff.setLength(0);
    String title = name().toUpperCase(Locale.ROOT);
    macro("TH", quote(title) + " 1 \"\" \"Reprise\" \"Reprise Manual\"");
    section("NAME");
    // The dash between the two is what makes a page known to apropos and whatis.
    roff.append(escape(name())).append(" \\- ").append(escape(lowerFirst(summary(command))));
    roff.append('\n');
    section("SYNOPSIS");
    synopsis();
    section("DESCRIPTION");
    paragraphs(command.usageMessage().description());
    arguments();
    subcommands();
    examples();
    if (command.parent() == null) {
      RootSections.SECTIONS.forEach(
          (heading, items) -> {
            section(heading);
            items.forEach((tag, text) -> tagged(bold(tag), text));
          });
    }
    seeAlso();
    return roff.toString();
  }

  private void synopsis() {
    String[] custom = command.usageMessage().customSynopsis();
    Help help = new Help(command, Help.defaultColorScheme(Ansi.OFF));
    String text =
        custom.length > 0 ? String.join(" ", custom).replace("%n", "\n") : help.synopsis(0);
    macro("nf", "");
    for (String line : text.strip().lines().toList()) {
      roff.append(text(line)).append('\n');
    }
    macro("fi", "");
  }

  private void paragraphs(String[] texts) {
    for (int i = 0; i < texts.length; i++) {
      if (i > 0) {
        macro("PP", "");
      }
      roff.append(text(plain(texts[i]))).append('\n');
    }
  }

  private void arguments() {
    List<OptionSpec> options = command.options().stream().filter(o -> !o.hidden()).toList();
    if (options.isEmpty() && command.positionalParameters().isEmpty()) {
      return;
    }
    section("OPTIONS");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      tagged(italic(parameter.paramLabel()), text(parameter));
    }
    for (OptionSpec option : options) {
      String names =
          List.of(option.names()).stream().map(ManPage::bold).collect(Collectors.joining(", "));
      boolean takesValue = option.arity().max() > 0;
      tagged(names + (takesValue ? "=" + italic(option.paramLabel()) : ""), text(option));
    }
  }

  private void subcommands() {
    if (command.subcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    for (CommandSpec each : commands(command.commandLine())) {
      tagged(bold(each.name()), summary(each));
    }
  }

  private void examples() {
    if (command.usageMessage().footer().length == 0) {
      return;
    }
    section("EXAMPLES");
    macro("nf", "");
    for (String line : command.usageMessage().footer()) {
      roff.append(text(plain(line))).append('\n');
    }
    macro("fi", "");
  }

  private void seeAlso() {
    section("SEE ALSO");
    CommandSpec root = command.root();
    String pages =
        command.parent() == null
            ? commands(root.commandLine()).stream()
                .map(each -> bold(each.qualifiedName("-")) + "(1)")
                .collect(Collectors.joining(", "))
            : bold("reprise") + "(1)";
    roff.append(pages).append('\n');
  }

  private void section(String heading) {
    macro("SH", quote(heading));
  }

  private void tagged(String tag, String text) {
    macro("TP", "");
    roff.append(tag).append('\n').append(text(text)).append('\n');
  }

  private void macro(String name, String arguments) {
    roff.append('.').append(name).append(arguments.isEmpty() ? "" : " " + arguments).append('\n');
  }

  private static String bold(String text) {
    return "\\fB" + escape(text) + "\\fR";
  }

  private static String italic(String text) {
    return "\\fI" + escape(text) + "\\fR";
  }

  private static String quote(String text) {
    return "\"" + escape(text).replace("\"", "\\(dq") + "\"";
  }

  /** Text as a line of its own: a dot or a quote at its start would be taken for a macro. */
  private static String text(String text) {
    String escaped = escape(text);
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }

  private static String escape(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("'", "\\(aq")
        .replace("`", "\\(ga")
        .replace("^", "\\(ha")
        .replace("~", "\\(ti");
  }

  private static String lowerFirst(String sentence) {
    String text = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
