package org.reprise.cli.prompt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.reprise.cli.option.Format;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.UserError;
import picocli.CommandLine.Option;

/** What a prompt is given before anybody types, and how it answers. */
public final class PromptOptions {
  @Option(
      names = {"-x", "--commands"},
      paramLabel = "FILE",
      description = "Do the commands in this file first, one a line.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-e", "--command"},
      paramLabel = "COMMAND",
      description = "Do this command first, behind those of files.")
  private List<String> commands = new ArrayList<>();

  @Option(
      names = "--batch",
      description =
          "No prompt: end behind the commands given, or those on standard input. Exit status 1"
              + " means that one failed.")
  private boolean batch;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to print answers: ${COMPLETION-CANDIDATES}. JSON is one object a line.")
  private Format format = Format.TEXT;

  /** Whether nobody is to be asked. */
  boolean isBatch() {
    return batch;
  }

  Format format() {
    return format;
  }

  /** The commands of files and options; all of standard input, if nobody is to be asked. */
  public List<String> given(Session session) {
    List<String> lines = new ArrayList<>();
    try {
      for (Path file : files) {
        lines.addAll(Files.readAllLines(session.directory().resolve(file)));
      }
      lines.addAll(commands);
      if (batch && files.isEmpty() && commands.isEmpty()) {
        lines.addAll(new String(System.in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
      return lines;
    } catch (IOException e) {
      throw new UserError(
          "the commands cannot be read",
          String.valueOf(e.getMessage()),
          "give a file that has one command a line");
    }
  }
}
