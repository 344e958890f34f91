import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Draws all pictures of the documents, or checks that they are what would be drawn. */
final class Pictures {
  private Pictures() {}

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    boolean check = args.length > 1 && args[1].equals("--check");
    Path directory = root.resolve("docs/pictures");
    Map<String, Svg> pictures = new LinkedHashMap<>();
    pictures.put("race.svg", SpaceTime.race(directory));
    pictures.put("modules.svg", Modules.of(root));
    pictures.put("blocks.svg", Blocks.ofLoop());
    boolean same = true;
    for (Map.Entry<String, Svg> picture : pictures.entrySet()) {
      Path file = directory.resolve(picture.getKey());
      String drawn = picture.getValue().written();
      if (!check) {
        Files.writeString(file, drawn);
      } else if (!Files.exists(file) || !Files.readString(file).equals(drawn)) {
        System.err.println(root.relativize(file) + " is out of date: run scripts/draw");
        same = false;
      }
    }
    if (!same) {
      System.exit(1);
    }
  }
}
