package org.reprise.ranks.fabric;

/** When a send is complete, and what it may rely on. */
public enum SendMode {
  /** Complete at once or when received, as the machine likes. */
  STANDARD,
  /** Complete at once: the data were copied to the program's buffer. */
  BUFFERED,
  /** Complete only when a receive has taken the message. */
  SYNCHRONOUS,
  /** As standard; wrong unless a receive is posted already. */
  READY
}
