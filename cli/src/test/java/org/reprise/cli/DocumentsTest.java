package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the documents say of the sources is so: links, names of files, commands and options. */
class DocumentsTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));
  private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  /** Beyond this nobody can review a difference. Tables and examples are as wide as they are. */
  private static final int PROSE_COLUMNS = 160;

  private final Shell shell = new Shell(Path.of("/nonexistent/runs"));

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String directory : List.of(".", "docs", "examples")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
      }
    }
    return documents;
  }

  private static String prose(Path document) throws IOException {
    return FENCED.matcher(Files.readString(document)).replaceAll("");
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    Map<Path, Set<String>> anchors = new HashMap<>();
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(prose(document));
      while (link.find()) {
        String target = link.group(1);
        if (target.startsWith("https://")) {
          continue;
        }
        links++;
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
          broken.add(ROOT.relativize(document) + ": " + target);
        } else if (parts.length == 2) {
          Set<String> known = anchors.get(file);
          if (known == null) {
            known = anchors(file);
            anchors.put(file, known);
          }
          if (!known.contains(parts[1])) {
            broken.add(ROOT.relativize(document) + ": " + target + ", no such heading");
          }
        }
      }
    }
    assertThat(links).isGreaterThan(100);
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  /** As code hosts make them of headings: lower case, words joined by hyphens, marks dropped. */
  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    Matcher heading = HEADING.matcher(prose(document));
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      int before = seen.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    return anchors;
  }

  @Test
  void everyCommandAndOptionIsInCommands() throws IOException {
    String document = Files.readString(ROOT.resolve("docs/COMMANDS.md"));
    List<String> missing = new ArrayList<>();
    for (CommandSpec command : commands()) {
      int start = document.indexOf("\n## reprise " + command.name() + "\n");
      if (start < 0) {
        missing.add(command.name());
        continue;
      }
      int end = document.indexOf("\n## ", start + 1);
      String section = document.substring(start, end < 0 ? document.length() : end);
      for (OptionSpec option : command.options()) {
        boolean shown =
            option.hidden()
                || option.usageHelp()
                || option.versionHelp()
                || inWholeDocument(command, option)
                || Arrays.stream(option.names()).anyMatch(name -> names(section, name));
        if (!shown) {
          missing.add(command.name() + " " + option.longestName());
        }
      }
    }
    assertThat(missing).as("commands and options that COMMANDS.md does not have").isEmpty();
  }

  /** Options that many commands have are described once, above all commands or with `record`. */
  private static boolean inWholeDocument(CommandSpec command, OptionSpec option)
      throws IOException {
    String document = Files.readString(ROOT.resolve("docs/COMMANDS.md"));
    String head = document.substring(0, document.indexOf("\n## reprise replay\n"));
    boolean likeRecord = Set.of("run", "enumerate").contains(command.name());
    int until = likeRecord ? head.length() : head.indexOf("\n## ");
    return Arrays.stream(option.names()).anyMatch(name -> names(head.substring(0, until), name));
  }

  private static boolean names(String text, String option) {
    return Pattern.compile("(?<![a-z-])" + Pattern.quote(option) + "(?![a-z-])")
        .matcher(text)
        .find();
  }

  private List<CommandSpec> commands() {
    return shell.commandLine().getSubcommands().values().stream()
        .distinct()
        .map(CommandLine::getCommandSpec)
        .filter(command -> !command.usageMessage().hidden())
        .toList();
  }

  @Test
  void theReadmeNamesEveryCommand() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String table = readme.substring(readme.indexOf("\n## Commands\n"));
    assertThat(commands())
        .extracting(CommandSpec::name)
        .allSatisfy(name -> assertThat(table).containsPattern("[ `]" + name + "[ `\\[]"));
  }

  @Test
  void theGlossaryIsSortedAndItsTermsAreUsed() throws IOException {
    Path glossary = ROOT.resolve("docs/GLOSSARY.md");
    List<String> terms =
        Pattern.compile("(?m)^\\| \\*\\*([^*]+)\\*\\*")
            .matcher(Files.readString(glossary))
            .results()
            .map(term -> term.group(1))
            .toList();
    assertThat(terms).hasSizeGreaterThan(40).isSorted().doesNotHaveDuplicates();
    List<Path> others = new ArrayList<>(documents());
    others.remove(glossary);
    for (String module : modules()) {
      others.addAll(sources(module));
    }
    Set<String> unused = new TreeSet<>(terms);
    for (Path other : others) {
      String text = Files.readString(other).toLowerCase(Locale.ROOT).replaceAll("[\\s*]+", " ");
      unused.removeIf(text::contains);
    }
    assertThat(unused).as("terms that neither documents nor sources use").isEmpty();
  }

  /** Names of classes and of C files between backquotes in the design documents. */
  @Test
  void theNamesInTheDesignDocumentsExist() throws IOException {
    Set<String> files = new HashSet<>();
    StringBuilder sources = new StringBuilder();
    for (String module : modules()) {
      for (Path file : sources(module)) {
        files.add(String.valueOf(file.getFileName()));
        sources.append(Files.readString(file, StandardCharsets.UTF_8));
      }
    }
    String all = sources.toString();
    Set<String> words =
        Pattern.compile("\\w+")
            .matcher(all)
            .results()
            .map(word -> word.group())
            .collect(Collectors.toSet());
    Pattern className = Pattern.compile("[A-Z][a-z]+(?:[A-Z][A-Za-z]*)+");
    Pattern fileName = Pattern.compile("[a-z_]+\\.(?:c|h|inc|def)");
    Predicate<String> exists =
        name ->
            fileName.matcher(name).matches()
                ? files.contains(name)
                : !className.matcher(name).matches() || words.contains(name);
    Set<String> unknown = new TreeSet<>();
    for (String document : List.of("ARCHITECTURE.md", "CHECKER.md")) {
      Path file = ROOT.resolve("docs").resolve(document);
      if (Files.exists(file)) {
        CODE.matcher(Files.readString(file))
            .results()
            .map(code -> code.group(1))
            .filter(exists.negate())
            .forEach(name -> unknown.add(document + ": " + name));
      }
    }
    assertThat(unknown).as("names that are not in the sources").isEmpty();
  }

  @Test
  void everyModuleIsInTheArchitecture() throws IOException {
    String document = Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
    assertThat(modules()).hasSizeGreaterThan(8);
    assertThat(modules().stream().filter(module -> !document.contains("`" + module + "`")))
        .as("modules that ARCHITECTURE.md does not name")
        .isEmpty();
  }

  private static List<String> modules() throws IOException {
    return Pattern.compile("<module>([a-z-]+)</module>")
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(module -> module.group(1))
        .toList();
  }

  private static List<Path> sources(String module) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
      return files
          .filter(file -> file.toString().matches(".*\\.(java|c|h|inc|def|js|mjs)"))
          .filter(file -> !file.toString().contains("/target/"))
          .toList();
    }
  }

  @Test
  void noProseIsTooWideToReview() throws IOException {
    Map<String, Integer> wide = new TreeMap<>();
    for (Path document : documents()) {
      int number = 0;
      boolean fenced = false;
      for (String line : Files.readAllLines(document)) {
        number++;
        fenced ^= line.strip().startsWith("```");
        boolean table = line.strip().startsWith("|");
        boolean shown = line.startsWith("    ") || line.startsWith("#### ");
        if (!fenced && !table && !shown && line.length() > PROSE_COLUMNS) {
          wide.put(ROOT.relativize(document) + ":" + number, line.length());
        }
      }
    }
    assertThat(wide).as("lines of prose wider than %d columns", PROSE_COLUMNS).isEmpty();
  }

  @Test
  void thePicturesAreWhatTheirSourcesSay() throws Exception {
    Process draw =
        new ProcessBuilder(ROOT.resolve("scripts/draw").toString(), "--check")
            .redirectErrorStream(true)
            .start();
    String said = new String(draw.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(draw.waitFor()).as(said).isZero();
  }
}
