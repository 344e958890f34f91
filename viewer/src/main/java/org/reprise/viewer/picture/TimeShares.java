package org.reprise.viewer.picture;

import java.util.Arrays;
import org.reprise.causality.EventTable;
import tools.jackson.core.JsonGenerator;

/**
 * Where the time of a stretch goes: over time for all ranks together, and in sum for each rank or
 * group of ranks (the time graph of Kranzlmüller and Lefèvre).
 */
public final class TimeShares {
  private static final int BINS = 240;

  /** With more ranks than this, sums are those of groups of them. */
  private static final int GROUPS_MAX = 256;

  private final RunPicture picture;
  private final EventTable events;

  public TimeShares(RunPicture picture) {
    this.picture = picture;
    events = picture.run().graph().events();
  }

  public void write(JsonGenerator json, Axis.Kind kind, long from, long to) {
    LaneIndex lanes = picture.lanes(kind);
    long begin = Math.max(0, from);
    long end = Math.max(begin + 1, Math.min(to, lanes.axis().length()));
    int bins = (int) Math.min(BINS, end - begin);
    double[] overTime = new double[bins * State.COUNT];
    int per = 1;
    while (events.ranks() > GROUPS_MAX * per) {
      per *= 2;
    }
    int groups = (events.ranks() + per - 1) / per;
    long[][] sums = new long[groups][State.COUNT];
    long[] before = new long[State.COUNT];
    long[] here = new long[State.COUNT];
    for (int rank = 0; rank < events.ranks(); rank++) {
      lanes.spent(rank, begin, lanes.begun(rank, begin), before);
      for (int bin = 0; bin < bins; bin++) {
        long binBegin = begin + (end - begin) * bin / bins;
        long moment = begin + (end - begin) * (bin + 1) / bins;
        lanes.spent(rank, moment, lanes.begun(rank, moment), here);
        for (int state = 0; state < State.COUNT; state++) {
          long spent = here[state] - before[state];
          sums[rank / per][state] += spent;
          overTime[bin * State.COUNT + state] +=
              (double) spent / Math.max(1, moment - binBegin) / events.ranks();
        }
        System.arraycopy(here, 0, before, 0, State.COUNT);
      }
    }
    json.writeStartObject();
    json.writeNumberProperty("from", begin);
    json.writeNumberProperty("to", end);
    json.writeNumberProperty("bins", bins);
    json.writeArrayPropertyStart("shares");
    for (double share : overTime) {
      json.writeNumber(Math.round(share * 10_000) / 10_000.0);
    }
    json.writeEndArray();
    json.writeNumberProperty("per", per);
    json.writeArrayPropertyStart("groups");
    for (int group = 0; group < groups; group++) {
      int size = Math.min(per, events.ranks() - group * per);
      json.writeStartArray();
      json.writeNumber(Math.max(0, (end - begin) * size - Arrays.stream(sums[group]).sum()));
      Arrays.stream(sums[group]).forEach(json::writeNumber);
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
