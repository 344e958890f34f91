package org.reprise.cli.command;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.terminal.Session;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.libmpi.MpiRank;
import org.reprise.trace.text.ShellWords;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise java}: a Java program as one rank of an MPI job. */
@Command(
    name = "java",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a Java program as a rank of the MPI job that mpirun started.",
      "It is the same program that runs on Reprise's own engine (record -n): package mpi, here on the library of Open MPI or MPICH. "
          + "A source file is compiled first, by each rank; compile it yourself and give -cp if there are many."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  mpirun -n 4 reprise java Program.java input.dat",
      "  reprise record mpirun -n 4 reprise java -cp classes Main"
    })
public final class JavaCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      description = "Where classes are, directories and jars with a colon between them.")
  private Optional<String> classPath = Optional.empty();

  @Option(
      names = ProgramCommand.MPJ_ARGUMENTS,
      description =
          "Main gets three arguments before its own, as from MPJ Express's launcher: rank, number of ranks, device.")
  private boolean mpjArguments;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "A source file, a jar, or a class after -cp, and the program's arguments.")
  private List<String> program;

  public JavaCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<String> words = new ArrayList<>();
    if (mpjArguments) {
      words.add(ProgramCommand.MPJ_ARGUMENTS);
    }
    classPath.ifPresent(path -> words.addAll(List.of("-cp", path)));
    words.addAll(program);
    ProgramCommand command = ProgramCommand.parse(words);
    if (!MpiRank.isOfAJob(session.surroundings().environment())) {
      session
          .terminal()
          .tell(
              "one rank only, as no mpirun started it; four of them: mpirun -n 4 reprise java "
                  + ShellWords.join(words));
    }
    try (HostedProgram hosted = HostedProgram.open(command, session.surroundings().directory())) {
      return MpiRank.run(
          hosted, command, session.surroundings().environment(), Charset.defaultCharset());
    }
  }
}
