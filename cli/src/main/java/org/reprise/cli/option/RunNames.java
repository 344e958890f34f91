package org.reprise.cli.option;

import java.util.Iterator;
import java.util.List;

/**
 * Marks a parameter as the name of a run. Which runs there are is known only when the user presses
 * the key, so the completion scripts put a question to {@code reprise ls --names} in its place.
 */
public final class RunNames implements Iterable<String> {
  public static final String MARK = "__runs__";

  @Override
  public Iterator<String> iterator() {
    return List.of(MARK).iterator();
  }
}
