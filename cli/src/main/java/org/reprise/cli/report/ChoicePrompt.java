package org.reprise.cli.report;

import java.util.List;
import java.util.Optional;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventTable;
import org.reprise.cli.terminal.Terminal;
import org.reprise.exploration.Execution;
import org.reprise.exploration.Steering;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventKind;

/** Asks the user which message a receive takes. */
public final class ChoicePrompt implements Steering.Guide {
  private static final String AS_IT_COMES = "q";

  private final Terminal terminal;
  private Optional<RunEvents> lines = Optional.empty();
  private boolean over;

  public ChoicePrompt(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The same for choices of this run. */
  public ChoicePrompt in(RunEvents run) {
    lines = Optional.of(run);
    return this;
  }

  @Override
  public int choose(Execution execution, int receive, List<Integer> messages) {
    EventTable events = execution.graph().events();
    RunEvents run = lines.orElseThrow();
    if (over) {
      return messages.getFirst();
    }
    terminal.tell(
        "%s of rank %d (event %d%s) can %s one of these:"
            .formatted(
                run.call(events, receive),
                events.rank(receive),
                events.number(receive),
                run.at(events, receive),
                events.kind(receive) == EventKind.PROBE ? "see" : "take"));
    for (int i = 0; i < messages.size(); i++) {
      int sent = execution.graph().pairing().send(messages.get(i));
      terminal.tell(
          "  %d  the message of rank %d, tag %d%s%s"
              .formatted(
                  i + 1,
                  events.rank(sent),
                  events.tag(sent),
                  run.at(events, sent),
                  i == 0 ? ", as it came" : ""));
    }
    return answer(messages);
  }

  private int answer(List<Integer> messages) {
    while (true) {
      String question = "which? [1, or q: the rest as it comes] ";
      String answer =
          terminal
              .ask(question)
              .orElseThrow(
                  () ->
                      new UserError(
                          "nobody can be asked for a choice",
                          "standard input and standard error are no terminal",
                          "type the command in a terminal, or write rules: --rules FILE"));
      if (answer.isEmpty() || answer.equals(AS_IT_COMES)) {
        over = !answer.isEmpty();
        return messages.getFirst();
      }
      if (answer.matches("[1-9]\\d{0,6}") && Integer.parseInt(answer) <= messages.size()) {
        return messages.get(Integer.parseInt(answer) - 1);
      }
      terminal.tell("a number from 1 to " + messages.size() + " is wanted");
    }
  }
}
