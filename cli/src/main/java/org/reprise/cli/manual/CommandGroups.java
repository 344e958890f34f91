package org.reprise.cli.manual;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The commands as {@code reprise --help} lists them: under what somebody wants to do, which thirty
 * names in one list do not tell.
 */
public final class CommandGroups {
  private static final int INDENT = 2;

  private final SequencedMap<String, List<CommandLine>> groups = new LinkedHashMap<>();

  /** Adds a group, and its commands to the command that all belong to. */
  public CommandGroups add(CommandLine root, String heading, Object... commands) {
    List<CommandLine> members =
        List.of(commands).stream()
            .map(command -> command instanceof CommandLine line ? line : new CommandLine(command))
            .toList();
    groups.put(heading, members);
    members.forEach(root::addSubcommand);
    return this;
  }

  /** Has the help of {@code root} list its commands group by group. */
  public void show(CommandLine root) {
    root.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, this::list);
  }

  private String list(Help help) {
    int names =
        groups.values().stream()
            .flatMap(List::stream)
            .mapToInt(command -> names(command).length())
            .max()
            .orElse(0);
    StringBuilder list = new StringBuilder();
    for (Map.Entry<String, List<CommandLine>> group : groups.entrySet()) {
      TextTable table =
          TextTable.forColumns(
              help.colorScheme(),
              new Column(names + INDENT, INDENT, Column.Overflow.SPAN),
              new Column(
                  help.commandSpec().usageMessage().width() - names - INDENT,
                  INDENT,
                  Column.Overflow.WRAP));
      for (CommandLine command : group.getValue()) {
        table.addRowValues(
            help.colorScheme().commandText(names(command)),
            help.colorScheme().text(ManPage.summary(command.getCommandSpec())));
      }
      list.append(String.format("%n%s:%n", group.getKey())).append(table);
    }
    return list.toString();
  }

  private static String names(CommandLine command) {
    return String.join(", ", command.getCommandSpec().names());
  }
}
