package org.reprise.viewer.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with its style and its modules in one file, which may lie anywhere and asks for nothing
 * from elsewhere.
 */
final class OneFile {
  private static final Pattern IMPORT = Pattern.compile("from \"(\\.[^\"]+)\"");
  private static final String POLICY =
      "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline';"
          + " img-src data: blob:; base-uri 'none'; form-action 'none'";

  /**
   * The page in one file.
   *
   * @param page without links to its style and its modules
   * @param main the module that starts it
   * @param content elements that this module reads
   */
  static String of(String page, String main, String content) {
    return page.replace(
        "  </head>",
        "    <meta http-equiv=\"Content-Security-Policy\" content=\""
            + POLICY
            + "\" />\n    <style>\n"
            + PageFiles.text("style.css")
            + "</style>\n    <script type=\"importmap\">"
            + importMap(main)
            + "</script>\n    "
            + content
            + "\n    <script type=\"module\">import \"page/"
            + main
            + "\";</script>\n  </head>");
  }

  /** Every module by a name that does not depend on where the page lies. */
  private static String importMap(String main) {
    Map<String, String> modules = new LinkedHashMap<>();
    ArrayDeque<String> open = new ArrayDeque<>();
    open.add(main);
    while (!open.isEmpty()) {
      String name = open.poll();
      if (modules.containsKey(name)) {
        continue;
      }
      String directory = name.contains("/") ? name.substring(0, name.indexOf('/')) : "";
      StringBuilder text = new StringBuilder();
      Matcher imported = IMPORT.matcher(PageFiles.text(name));
      while (imported.find()) {
        String other = resolve(directory, imported.group(1));
        open.add(other);
        imported.appendReplacement(text, "from \"page/" + other + "\"");
      }
      imported.appendTail(text);
      modules.put(
          name,
          "data:text/javascript;base64,"
              + Base64.getEncoder()
                  .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8)));
    }
    StringBuilder map = new StringBuilder("{\"imports\":{");
    String sign = "";
    for (Map.Entry<String, String> module : modules.entrySet()) {
      map.append(sign).append("\"page/").append(module.getKey()).append("\":\"");
      map.append(module.getValue()).append('"');
      sign = ",";
    }
    return map.append("}}").toString();
  }

  private static String resolve(String directory, String path) {
    return path.startsWith("../")
        ? path.substring("../".length())
        : (directory.isEmpty() ? "" : directory + "/") + path.substring("./".length());
  }

  private OneFile() {}
}
