package org.reprise.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.trace.UserError;

/**
 * What a small message takes between two ranks: embedded, recorded, and on MPJ Express. The sides
 * take turns, and a ratio is that of two neighbours in one round.
 */
final class MessageTimes {
  private static final Path MPJ = Path.of("/usr/share/mpj");
  private static final Path LOG4J = Path.of("/usr/share/java/log4j-1.2.jar");
  private static final Pattern NANOS = Pattern.compile("nanos (\\d+)");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Workshop workshop;

  MessageTimes(Workshop workshop) {
    this.workshop = workshop;
  }

  /** A command that prints the nanoseconds of one message, and the side it is compared with. */
  private record Side(List<String> words, Map<String, String> environment, String comparedWith) {}

  void print(int rounds) {
    Map<String, Side> sides = sides();
    Map<String, List<Double>> nanos = new LinkedHashMap<>();
    sides.keySet().forEach(name -> nanos.put(name, new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      sides.forEach((name, side) -> nanos.getOrDefault(name, List.of()).add(nanos(side)));
    }
    System.out.printf(
        Locale.ROOT,
        "%-26s %8s %18s %8s %18s%n",
        "SMALL MESSAGE",
        "ns",
        "quartiles",
        "ratio",
        "quartiles");
    sides.forEach(
        (name, side) -> {
          List<Double> own = nanos.getOrDefault(name, List.of());
          List<Double> others = nanos.getOrDefault(side.comparedWith, List.of());
          List<Double> ratios = new ArrayList<>();
          for (int i = 0; i < own.size(); i++) {
            ratios.add(own.get(i) / others.get(i));
          }
          Spread times = Spread.of(own);
          Spread ratio = Spread.of(ratios);
          System.out.printf(
              Locale.ROOT,
              "%-26s %8.0f %8.0f to %6.0f %8.3f %8.3f to %6.3f%n",
              name,
              times.median(),
              times.lower(),
              times.upper(),
              ratio.median(),
              ratio.lower(),
              ratio.upper());
        });
    if (!hasMpj()) {
      System.out.println("MPJ Express is not installed (libmpj-java, liblog4j1.2-java)");
    }
  }

  private static boolean hasMpj() {
    return Files.isDirectory(MPJ.resolve("lib")) && Files.exists(LOG4J);
  }

  private Map<String, Side> sides() {
    String reprise = workshop.root().resolve("reprise").toString();
    String program = workshop.root().resolve("bench/java/SmallMessages.java").toString();
    Map<String, String> home = Map.of("REPRISE_HOME", workshop.freshDirectory("runs").toString());
    List<String> run = List.of(reprise, "run", "-n", "2", program);
    List<String> record = List.of(reprise, "record", "-n", "2", program);
    Map<String, Side> sides = new LinkedHashMap<>();
    sides.put("embedded", new Side(run, home, "embedded"));
    sides.put("embedded, recorded", new Side(record, home, "embedded"));
    sides.put("any source", new Side(with(run, "any"), home, "any source"));
    sides.put("any source, recorded", new Side(with(record, "any"), home, "any source"));
    if (hasMpj()) {
      sides.put("MPJ Express, multicore", onMpj(program));
    }
    return sides;
  }

  private static List<String> with(List<String> words, String last) {
    List<String> all = new ArrayList<>(words);
    all.add(last);
    return all;
  }

  private Side onMpj(String program) {
    Path classes = workshop.freshDirectory("classes");
    List<String> compile =
        List.of(
            tool("javac"),
            "-nowarn",
            "-proc:none",
            "-cp",
            MPJ.resolve("lib/mpj.jar").toString(),
            "-d",
            classes.toString(),
            program);
    Command.run(compile, Map.of(), LIMIT, workshop).outOrThrow(compile);
    try (Stream<Path> jars = Files.list(MPJ.resolve("lib"))) {
      String path = String.join(File.pathSeparator, jars.map(Path::toString).toList());
      List<String> words =
          List.of(
              tool("java"),
              "-cp",
              path,
              "runtime.starter.MPJRun",
              "-np",
              "2",
              "-cp",
              classes.toString(),
              "SmallMessages");
      // Its launcher starts whatever java is on PATH: the same one as ours, or nothing is compared.
      return new Side(
          words,
          Map.of(
              "MPJ_HOME",
              MPJ.toString(),
              "PATH",
              Path.of(System.getProperty("java.home"), "bin")
                  + File.pathSeparator
                  + System.getenv().getOrDefault("PATH", ""),
              "JAVA_TOOL_OPTIONS",
              "-Xbootclasspath/a:" + LOG4J),
          "embedded");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private double nanos(Side side) {
    Command.Result result = Command.run(side.words, side.environment, LIMIT, workshop);
    Matcher nanos = NANOS.matcher(result.outOrThrow(side.words));
    if (!nanos.find()) {
      throw new UserError(
          "a benchmark printed no result",
          result.out() + result.err(),
          "run it by hand: " + String.join(" ", side.words));
    }
    return Double.parseDouble(nanos.group(1));
  }
}
