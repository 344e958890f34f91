package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.agent.instrument.program.Site;

/**
 * Writes of volatile fields and atomic variables, for those who wait for them in a loop. Where one
 * block alone writes while another waits, and once, the write is before the end of the wait on
 * every schedule. Where there are several writes only the first is: which of the others was waited
 * for is schedule-dependent.
 */
public final class Publications {
  /** Of a variable that is written more often, the oldest writes are forgotten. */
  private static final int WRITES_MAX = 1024;

  /** Stands for the object of static fields. */
  private static final Object STATICS = new Object();

  private final IdentityTable<Object, Map<Integer, List<Write>>> byObject = new IdentityTable<>();

  private final BiConsumer<String, String> obstacles;

  public Publications(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  /** A write, by the block that ended with it. */
  private record Write(int tag, Release release) {}

  /** The thread is about to write; returns what is before those who see that. */
  public Release publish(@Nullable Object object, int variable, ThreadOrder threadOrder) {
    Map<Integer, List<Write>> writes = of(object);
    int tag = threadOrder.tag;
    Release release = threadOrder.release();
    synchronized (writes) {
      List<Write> all = writes.computeIfAbsent(variable, any -> new ArrayList<>());
      all.removeIf(write -> threadOrder.isAfter(write.tag()) && write.tag() <= threadOrder.floor);
      if (all.size() == WRITES_MAX) {
        all.remove(0);
      }
      all.add(new Write(tag, release));
    }
    return release;
  }

  /**
   * The thread has left a loop in which it waited for the variable. False if the read that ended it
   * is to be checked like any other: nobody is known to have written meanwhile, or one block did,
   * once, and the next write may still come, which on another schedule is there before the loop
   * looks.
   */
  public boolean waited(@Nullable Object object, int variable, ThreadOrder threadOrder, Site site) {
    Map<Integer, List<Write>> writes = of(object);
    List<Write> news;
    synchronized (writes) {
      news =
          writes.getOrDefault(variable, List.of()).stream()
              .filter(write -> !threadOrder.isAfter(write.tag()))
              .toList();
    }
    if (news.isEmpty()) {
      return false;
    }
    threadOrder.acquire(news.get(0).release());
    boolean areSeveral = news.size() > 1;
    if (areSeveral) {
      news.forEach(write -> threadOrder.see(write.release()));
      obstacles.accept(
          "hand-made synchronisation on "
              + site.variable()
              + ": which of several writes ended the wait is schedule-dependent",
          site.place());
    }
    return areSeveral;
  }

  private Map<Integer, List<Write>> of(@Nullable Object object) {
    return byObject.get(object == null ? STATICS : object, any -> new HashMap<>());
  }
}
