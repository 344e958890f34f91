package org.reprise.trace.run;

/** How the recorded command ended, as the shell that started it would have seen it. */
public sealed interface Ending {
  /** It exited by itself. */
  record Exited(int code) implements Ending {}

  /** A signal ended it, or ended a rank and was passed on by the launcher. */
  record Killed(int signal) implements Ending {}

  /** Somebody ended it from outside, through Reprise; the status is what the command made of it. */
  record Interrupted(int status) implements Ending {}

  /** Nobody was there to see it end: it still runs, or the recorder was killed first. */
  record Unfinished() implements Ending {}

  /** Above this, an exit status is 128 + a signal. */
  int SIGNAL_BASE = 128;

  static Ending ofExitStatus(int status) {
    return status > SIGNAL_BASE && status <= SIGNAL_BASE + 64
        ? new Killed(status - SIGNAL_BASE)
        : new Exited(status);
  }

  /** Whether it ended by itself and well. */
  default boolean isSuccess() {
    return this instanceof Exited(int code) && code == 0;
  }

  /** In words, to stand behind "the command". */
  default String inWords() {
    return switch (this) {
      case Exited(int code) -> "exited with status " + code;
      case Killed(int signal) -> "was killed by signal " + signal;
      case Interrupted(int status) -> "was interrupted and exited with status " + status;
      case Unfinished() -> "was never seen to end";
    };
  }
}
