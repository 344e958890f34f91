package org.reprise.ranks.fabric;

/**
 * A non-blocking send, receive or collective operation under way. It belongs to the rank that
 * started it and is handed back to {@link Fabric#complete}; once that has reported it, it is
 * finished.
 */
public interface Operation {
  /** What it came to. Only after a completion call has reported it. */
  Received received();
}
