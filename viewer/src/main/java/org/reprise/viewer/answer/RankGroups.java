package org.reprise.viewer.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.reprise.causality.EventTable;
import org.reprise.trace.Location;
import org.reprise.trace.events.Communicator;
import org.reprise.viewer.picture.RankOrder;
import org.reprise.viewer.picture.RunPicture;
import tools.jackson.core.JsonGenerator;

/**
 * Ranks that belong together: those of a communicator, or those that behave alike, which is that
 * they make the same calls from the same places about as often.
 */
final class RankGroups {
  private final RunPicture picture;
  private final EventDetails details;
  private final EventTable events;
  private final Map<String, Map<String, List<Integer>>> known = new ConcurrentHashMap<>();

  RankGroups(RunPicture picture, EventDetails details) {
    this.picture = picture;
    this.details = details;
    events = picture.run().graph().events();
  }

  void write(JsonGenerator json, String by) {
    json.writeStartArray();
    of(by)
        .forEach(
            (name, ranks) -> {
              json.writeStartObject();
              json.writeStringProperty("name", name);
              json.writeArrayPropertyStart("ranks");
              ranks.forEach(rank -> json.writeNumber(rank));
              json.writeEndArray();
              json.writeEndObject();
            });
    json.writeEndArray();
  }

  /** The order of ranks in which groups stand together. */
  RankOrder order(String by) {
    return by.equals("rank") ? RankOrder.byNumber(events.ranks()) : RankOrder.of(of(by).values());
  }

  private Map<String, List<Integer>> of(String by) {
    return known.computeIfAbsent(
        by,
        _ ->
            switch (by) {
              case "communicator" -> byCommunicator();
              case "behaviour" -> byBehaviour();
              default -> throw new IllegalArgumentException("no such groups: " + by);
            });
  }

  /** Each rank with the smallest communicator that it is in and that has others in it. */
  private Map<String, List<Integer>> byCommunicator() {
    int[] of = new int[events.ranks()];
    Arrays.fill(of, EventTable.NONE);
    List<Communicator> all = events.communicators();
    for (int comm = 0; comm < all.size(); comm++) {
      int size = all.get(comm).group().size();
      for (int i = 0; size > 1 && i < size; i++) {
        int rank = all.get(comm).group().world(i);
        if (of[rank] < 0 || size < all.get(of[rank]).group().size()) {
          of[rank] = comm;
        }
      }
    }
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int rank = 0; rank < of.length; rank++) {
      String name =
          of[rank] < 0
              ? "in none"
              : all.get(of[rank]).group().size() == events.ranks()
                  ? "all ranks"
                  : "communicator " + Long.toHexString(all.get(of[rank]).id());
      groups.computeIfAbsent(name, _ -> new ArrayList<>()).add(rank);
    }
    return groups;
  }

  /**
   * By how often a rank makes which call from which place, to a power of two. The largest group
   * comes last: the exceptions are what one looks for.
   */
  private Map<String, List<Integer>> byBehaviour() {
    Map<Map<String, Integer>, List<Integer>> alike = new LinkedHashMap<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      Map<Long, Integer> counts = new HashMap<>();
      Map<Long, Integer> examples = new HashMap<>();
      for (int e = events.first(rank); e < events.first(rank + 1); e++) {
        long site = (long) events.call(e) << Integer.SIZE | events.site(e);
        counts.merge(site, 1, Integer::sum);
        examples.putIfAbsent(site, e);
      }
      Map<String, Integer> profile = new TreeMap<>();
      counts.forEach(
          (site, count) -> {
            int example = examples.getOrDefault(site, 0);
            String place =
                details.stack(example).stream().findFirst().map(Location::text).orElse("");
            profile.merge(picture.run().call(example) + " " + place, count, Integer::sum);
          });
      profile.replaceAll((_, count) -> Integer.SIZE - Integer.numberOfLeadingZeros(count));
      alike.computeIfAbsent(profile, _ -> new ArrayList<>()).add(rank);
    }
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    alike.values().stream()
        .sorted(Comparator.comparingInt(List::size))
        .forEach(ranks -> groups.put("like rank " + ranks.getFirst(), ranks));
    return groups;
  }
}
