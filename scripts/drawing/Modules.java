import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The modules and who depends on whom, as the pom files say. A module stands one row below the lowest that needs it, so
 * every arrow points downwards.
 */
final class Modules {
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>\\s*<groupId>org.reprise</groupId>\\s*<artifactId>reprise-([a-z-]+)</artifactId>(.*?)</dependency>", Pattern.DOTALL);

  /** Tests and benchmarks only: nothing that users run depends on them. */
  private static final List<String> LEFT_OUT = List.of("bench", "conformance", "examples");

  private static final Map<String, String> WHAT =
      Map.ofEntries(
          Map.entry("cli", "commands and their output"),
          Map.entry("launch", "starts, records, replays"),
          Map.entry("analysis", "events, races, claims of a run"),
          Map.entry("causality", "event graph, races"),
          Map.entry("findings", "text, JSON, SARIF, HTML"),
          Map.entry("ranks", "embedded engine, MPJ"),
          Map.entry("trace", "files of a run"),
          Map.entry("interposer", "C, inside MPI ranks"),
          Map.entry("anomaly-agent", "instruments and detects"),
          Map.entry("anomaly-junit", "fails tests"),
          Map.entry("anomaly-report", "anomalies, masks, verdict"),
          Map.entry("anomaly-hooks", "called by checked code"),
          Map.entry("exploration", "other orders, plans"),
          Map.entry("recovery", "checkpoints, recovery lines"),
          Map.entry("debugger", "breakpoints, gdb, DAP"),
          Map.entry("viewer", "local server and page"));

  /** From left to right where nothing else decides; others stand behind these. */
  private static final List<String> ORDER = List.of("causality", "findings", "launch", "ranks", "interposer");

  private static final int WIDTH = 860;
  private static final int BOX_HEIGHT = 56;
  private static final int ROW = 104;
  private static final int TOP = 52;

  /** A module's box: its middle and its upper edge. */
  private record Place(int x, int y) {}

  private final Map<String, List<Use>> uses;
  private final Map<String, Place> places = new LinkedHashMap<>();

  /** Where an arrow, given by its two modules, passes through a row. */
  private final Map<List<Object>, Place> bends = new HashMap<>();

  /** That a module needs another, to be compiled or only when it runs. */
  private record Use(String module, boolean atRunTime) {}

  private Modules(Map<String, List<Use>> uses) {
    this.uses = uses;
  }

  static Svg of(Path root) throws IOException {
    Map<String, List<Use>> uses = new LinkedHashMap<>();
    for (String module : modules(root)) {
      uses.put(module, dependencies(root.resolve(module).resolve("pom.xml")));
    }
    return new Modules(uses).drawn();
  }

  private Svg drawn() {
    int rows = uses.keySet().stream().mapToInt(this::row).max().orElseThrow() + 1;
    int bottom = TOP + (rows - 1) * ROW + BOX_HEIGHT;
    Svg svg = new Svg(WIDTH, bottom + 44, "The modules and the direction of dependence");
    svg.text("text", 24, 32, 16, "start", "Modules: an arrow points to what a module needs");
    for (int row = 0; row < rows; row++) {
      place(row);
    }
    places.forEach(
        (module, place) ->
            uses.get(module).stream()
                .filter(use -> !follows(module, use.module))
                .forEach(use -> draw(svg, module, use)));
    places.forEach((module, place) -> draw(svg, module, place));
    svg.text(
        "quiet", 24, bottom + 26, 12, "start",
        "Dashed: loaded at run time. Left out: arrows that follow from others, tests (conformance) and bench.");
    return svg;
  }

  /** What takes room in a row: a module, or an arrow that passes from a module further up to one further down. */
  private record Item(String module, String passesTo, double middle, double halfWidth) {}

  /** Puts the modules of one row side by side, each below those that need it as far as there is room. */
  private void place(int row) {
    List<Item> items = new ArrayList<>();
    List<String> modules = uses.keySet().stream().filter(module -> row(module) == row).toList();
    double room = Math.min(94, (WIDTH - 32) / 2.0 / modules.size());
    for (String module : modules) {
      items.add(new Item(module, "", middleOfUsers(module), room));
    }
    for (String user : places.keySet()) {
      for (Use use : uses.get(user)) {
        if (!follows(user, use.module) && row(use.module) > row) {
          items.add(new Item(user, use.module, bend(user, use.module, row - 1).x, 12));
        }
      }
    }
    items.sort(
        Comparator.comparingDouble(Item::middle).thenComparing(item -> ORDER.indexOf(item.module) & 0xff));
    double[] middles = spread(items);
    int y = TOP + row * ROW;
    for (int i = 0; i < middles.length; i++) {
      Item item = items.get(i);
      int x = (int) Math.round(middles[i]);
      if (item.passesTo.isEmpty()) {
        places.put(item.module, new Place(x, y));
      } else {
        bends.put(List.of(item.module, item.passesTo, row), new Place(x, y));
      }
    }
  }

  /** Moves neighbours apart until they have room, and back into the picture. */
  private static double[] spread(List<Item> items) {
    double[] middles = items.stream().mapToDouble(Item::middle).toArray();
    for (int pass = 0; pass < 200; pass++) {
      for (int i = 1; i < middles.length; i++) {
        double shift = Math.max(0, middles[i - 1] + items.get(i - 1).halfWidth + items.get(i).halfWidth - middles[i]);
        middles[i] += shift / 2;
        middles[i - 1] -= shift / 2;
      }
      for (int i = 0; i < middles.length; i++) {
        double half = items.get(i).halfWidth;
        middles[i] = Math.max(16 + half, Math.min(WIDTH - 16 - half, middles[i]));
      }
    }
    return middles;
  }

  /** Where the arrow from one module to another is in a row, or where it begins. */
  private Place bend(String user, String used, int row) {
    return bends.getOrDefault(List.of(user, used, row), places.get(user));
  }

  private double middleOfUsers(String module) {
    return places.entrySet().stream()
        .filter(user -> uses.get(user.getKey()).stream().anyMatch(use -> use.module.equals(module)))
        .mapToInt(user -> user.getValue().x)
        .average()
        .orElse(WIDTH / 2.0);
  }

  private int widthAt(int y) {
    long beside = places.values().stream().filter(place -> place.y == y).count();
    return (int) Math.min(176, (WIDTH - 32) / beside - 12);
  }

  private void draw(Svg svg, String module, Place place) {
    int width = widthAt(place.y);
    svg.box("box", place.x - width / 2, place.y, width, BOX_HEIGHT, 6);
    svg.code("text", place.x, place.y + 21, 13, "middle", module);
    List<String> lines = lines(WHAT.getOrDefault(module, ""), width / 6);
    for (int i = 0; i < lines.size(); i++) {
      svg.text("quiet", place.x, place.y + (lines.size() == 1 ? 41 : 36 + i * 13), 11, "middle", lines.get(i));
    }
  }

  private static List<String> lines(String text, int length) {
    int space = text.length() <= length ? -1 : text.lastIndexOf(' ', length);
    return space < 0 ? List.of(text) : List.of(text.substring(0, space), text.substring(space + 1));
  }

  private void draw(Svg svg, String user, Use use) {
    Place from = places.get(user);
    Place to = places.get(use.module);
    String style = use.atRunTime ? "line" : "blue";
    int room = widthAt(from.y) / 3;
    int x = from.x;
    int y = from.y + BOX_HEIGHT;
    boolean first = true;
    for (int row = row(user) + 1; row < row(use.module); row++) {
      Place bend = bend(user, use.module, row);
      svg.line(style, x, y, bend.x, bend.y);
      svg.line(style, bend.x, bend.y, bend.x, bend.y + BOX_HEIGHT);
      x = bend.x;
      y = bend.y + BOX_HEIGHT;
      first = false;
    }
    if (first) {
      x += Math.max(-room, Math.min(room, (to.x - x) / 4));
    }
    svg.arrow(style, x, y, to.x + (x - to.x) / 8, to.y, 2, use.atRunTime);
  }

  /** Whether something else that the module needs, needs it too. */
  private boolean follows(String module, String used) {
    return uses.get(module).stream().anyMatch(use -> !use.module.equals(used) && reaches(use.module, used));
  }

  private boolean reaches(String module, String used) {
    return uses.get(module).stream().anyMatch(use -> use.module.equals(used) || reaches(use.module, used));
  }

  private int row(String module) {
    return uses.entrySet().stream()
        .filter(user -> user.getValue().stream().anyMatch(use -> use.module.equals(module)))
        .mapToInt(user -> row(user.getKey()) + 1)
        .max()
        .orElse(0);
  }

  private static TreeSet<String> modules(Path root) throws IOException {
    TreeSet<String> modules = new TreeSet<>();
    try (Stream<Path> files = Files.list(root)) {
      files.filter(path -> Files.exists(path.resolve("pom.xml"))).map(path -> path.getFileName().toString()).filter(name -> !LEFT_OUT.contains(name)).forEach(modules::add);
    }
    return modules;
  }

  private static List<Use> dependencies(Path pom) throws IOException {
    List<Use> dependencies = new ArrayList<>();
    Matcher dependency = DEPENDENCY.matcher(Files.readString(pom));
    while (dependency.find()) {
      if (!dependency.group(2).contains("<scope>test</scope>")) {
        dependencies.add(new Use(dependency.group(1), dependency.group(2).contains("<scope>runtime</scope>")));
      }
    }
    return dependencies;
  }
}
