package org.reprise.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;

/** Order files and outcomes to test with, from a seed. */
public final class Samples {
  public static final int RANKS = 5;

  public static RankHeader header(Rank rank) {
    return RankHeader.create(Wire.FileKind.ORDER, Wire.Mode.RECORD, rank, RANKS)
        .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal());
  }

  public static Path write(Path file, RankHeader header, List<Outcome> outcomes) {
    try (OrderWriter writer = new OrderWriter(file, header)) {
      outcomes.forEach(writer::write);
    }
    return file;
  }

  public static List<Outcome> read(Path file) {
    List<Outcome> outcomes = new ArrayList<>();
    try (OrderReader reader = OrderReader.open(file)) {
      reader.forEachRemaining(next -> outcomes.add(next.outcome()));
    }
    return outcomes;
  }

  public static List<Outcome> outcomes(Random random, int count) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      outcomes.add(outcome(random));
    }
    return outcomes;
  }

  private static Outcome outcome(Random random) {
    return switch (random.nextInt(15)) {
      case 0 -> new Outcome.Recv(source(random), tag(random));
      case 1 -> new Outcome.Probe(source(random), tag(random));
      case 2 -> new Outcome.Post(number(random), source(random), tag(random));
      case 3 -> new Outcome.PostEnd(number(random), one(random, Wire.PostEnd.values()));
      case 4 -> new Outcome.FailedPolls(number(random));
      case 5 -> new Outcome.Hit(one(random, Wire.Poll.values()));
      case 6 -> new Outcome.Found(source(random), tag(random));
      case 7 -> new Outcome.Index(tag(random));
      case 8 -> new Outcome.Indices(true, numbers(random));
      case 9 -> new Outcome.Errors(random.nextInt(), numbers(random));
      case 10 -> new Outcome.Check(random.nextInt());
      case 11 -> new Outcome.ThreadSwitch(number(random));
      case 12 -> new Outcome.Free(number(random));
      case 13 -> new Outcome.Again(number(random));
      default -> new Outcome.Turn(number(random), number(random));
    };
  }

  private static int source(Random random) {
    return random.nextBoolean() ? random.nextInt(RANKS) : random.nextInt(OrderReader.SOURCES_MAX);
  }

  private static OptionalInt tag(Random random) {
    return random.nextBoolean()
        ? OptionalInt.empty()
        : OptionalInt.of(random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31));
  }

  private static long number(Random random) {
    return random.nextLong(Long.MAX_VALUE - 16) >>> random.nextInt(63);
  }

  private static List<Integer> numbers(Random random) {
    List<Integer> numbers = new ArrayList<>();
    for (int count = random.nextInt(20); count > 0; count--) {
      numbers.add(random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31));
    }
    return numbers;
  }

  private static <T> T one(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  private Samples() {}
}
