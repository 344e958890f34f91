package org.reprise.debugger;

import java.util.List;
import org.reprise.debugger.source.SourceError;

/** Does what is typed at a prompt: a line in, an answer out. */
public interface Interpreter {
  /** Does what a line says; a line without a word does nothing. */
  Answer execute(String line);

  /** Whether the user wants to leave. */
  boolean isOver();

  /** What a source-level debugger could not do, as users read it. */
  String failure(SourceError error);

  /** Ends what is under way; whoever waits for it gets the prompt back. */
  void interrupt();

  /** Nothing is under way: what was interrupted before does not count. */
  void forgetInterrupt();

  /** The words that commands begin with. */
  List<String> words();
}
