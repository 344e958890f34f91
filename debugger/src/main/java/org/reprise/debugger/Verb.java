package org.reprise.debugger;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The commands of the prompt, in the order in which help lists them. */
enum Verb {
  GOTO(
      "RANK:EVENT [--latest] | race N | message RANK:EVENT | TIME | CUT | start",
      "bring all ranks there; --latest: the others as late as can be"),
  RUN("", "from the start to a breakpoint, or to the end"),
  CONTINUE("", "from here to the next breakpoint, or to the end", "c"),
  BACK(
      "[N | line | breakpoint]",
      "one event back on the chosen rank, N events, one line, or to the last breakpoint"),
  BREAK(
      "RANK:EVENT | race N | message RANK:EVENT | TIME | CUT | FILE:LINE [on RANKS] [if COND]",
      "stop there; FUNCTION is a line, too, and lines are of the chosen ranks unless others are"
          + " named",
      "b"),
  BREAKPOINTS("", "lists the breakpoints"),
  DELETE("N", "removes a breakpoint"),
  STEP("", "the chosen ranks go on to another line, into functions", "s"),
  NEXT("", "the same, over functions", "n"),
  FINISH("", "the chosen ranks go on to the end of the function"),
  UNTIL(
      "[LINE | RANK:EVENT | race N | message RANK:EVENT | TIME | CUT]",
      "the chosen ranks go on to a later line, or all to a place"),
  WHERE("", "where all ranks are", "w"),
  CUT("", "the cut that the ranks are at, to be typed after goto"),
  RANKS("[LIST]", "chooses ranks, such as 0-3,7 or all; or says which are chosen"),
  STACK("", "the stacks of the chosen ranks", "bt"),
  FRAME("[N]", "chooses the frame that print reads variables in, or shows it", "f"),
  LIST("", "the source where the chosen ranks are", "l"),
  PRINT(
      "[--gather] EXPR",
      "the value on the chosen ranks; --gather u[a:b]: one array of all parts",
      "p"),
  SET("var NAME = EXPR", "changes a variable: from there on it is not a replay"),
  WATCH("EXPR", "back to the line that changed the value last, on the chosen rank"),
  SAVE("FILE", "writes the breakpoints and the place to a file of commands"),
  LOAD("FILE", "does the commands of a file, and so goes on with a saved session"),
  EVENTS("[RANK [FROM [COUNT]]]", "events of a rank, around where it is"),
  RACES("", "receives that could have taken another message, with their numbers"),
  HELP("[COMMAND]", "what there is", "h"),
  QUIT("", "ends the ranks and the debugger", "q", "exit");

  private final String parameters;
  private final String does;
  private final List<String> shorter;

  Verb(String parameters, String does, String... shorter) {
    this.parameters = parameters;
    this.does = does;
    this.shorter = List.of(shorter);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String synopsis() {
    return (word() + " " + parameters).strip();
  }

  String does() {
    return does + (shorter.isEmpty() ? "" : " (" + String.join(", ", shorter) + ")");
  }

  /** The command of this name, a short form of it, or the only one that begins like this. */
  static Optional<Verb> of(String typed) {
    Optional<Verb> exact =
        Arrays.stream(values())
            .filter(verb -> verb.word().equals(typed) || verb.shorter.contains(typed))
            .findFirst();
    List<Verb> begun =
        Arrays.stream(values()).filter(verb -> verb.word().startsWith(typed)).toList();
    return exact.or(() -> begun.size() == 1 ? Optional.of(begun.getFirst()) : Optional.empty());
  }
}
