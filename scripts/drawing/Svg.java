import java.util.Locale;

/**
 * A picture as SVG, in the colours of light or dark pages as the reader prefers. It has a ground of its own, so that it is
 * readable where the preference is not known.
 */
final class Svg {
  /** Class names, what they set, and their colour on a light and on a dark ground. */
  private static final String[][] STYLES = {
    {"ground", "fill:%s", "#ffffff", "#0d1117"},
    {"panel", "fill:%s", "#f4f6f8", "#161b22"},
    {"line", "fill:none;stroke-width:1.5;stroke:%s", "#59636e", "#9198a1"},
    {"faint", "fill:none;stroke-width:1;stroke:%s", "#c2c9d1", "#3d444d"},
    {"box", "stroke-width:1.2;stroke:#59636e;fill:%s", "#ffffff", "#212830"},
    {"blue", "fill:none;stroke-width:1.8;stroke:%s", "#0969da", "#4493f8"},
    {"green", "fill:none;stroke-width:1.8;stroke:%s", "#1a7f37", "#3fb950"},
    {"red", "fill:none;stroke-width:2.2;stroke:%s", "#cf222e", "#f85149"},
    {"line-fill", "fill:%s", "#59636e", "#9198a1"},
    {"blue-fill", "fill:%s", "#0969da", "#4493f8"},
    {"green-fill", "fill:%s", "#1a7f37", "#3fb950"},
    {"red-fill", "fill:%s", "#cf222e", "#f85149"},
    {"text", "fill:%s", "#1f2328", "#e6edf3"},
    {"quiet", "fill:%s", "#59636e", "#9198a1"},
  };

  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;
  private final String title;

  Svg(int width, int height, String title) {
    this.width = width;
    this.height = height;
    this.title = title;
    add("<rect class='ground' width='%d' height='%d' rx='8'/>", width, height);
  }

  private void add(String format, Object... values) {
    body.append("  ").append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  void box(String style, int x, int y, int boxWidth, int boxHeight, int corner) {
    add("<rect class='%s' x='%d' y='%d' width='%d' height='%d' rx='%d'/>", style, x, y, boxWidth, boxHeight, corner);
  }

  void dot(String style, int x, int y, int radius) {
    add("<circle class='%s' cx='%d' cy='%d' r='%d'/>", style, x, y, radius);
  }

  void line(String style, int x, int y, int toX, int toY) {
    add("<path class='%s' d='M%d %dL%d %d'/>", style, x, y, toX, toY);
  }

  void path(String style, String path) {
    add("<path class='%s' d='%s'/>", style, path);
  }

  /** A line that ends in a point; it stops short of the end by the radius of what is there. */
  void arrow(String style, int x, int y, int toX, int toY, int radius, boolean dashed) {
    double length = Math.hypot(toX - x, toY - y);
    double stepX = (toX - x) / length;
    double stepY = (toY - y) / length;
    double tipX = toX - stepX * radius;
    double tipY = toY - stepY * radius;
    double baseX = tipX - stepX * 8;
    double baseY = tipY - stepY * 8;
    add(
        "<path class='%s' d='M%d %dL%.1f %.1f'%s/>", style, x, y, baseX, baseY, dashed ? " stroke-dasharray='5 4'" : "");
    add(
        "<path class='%s-fill' d='M%.1f %.1fL%.1f %.1fL%.1f %.1fZ'/>",
        style, tipX, tipY, baseX - stepY * 4, baseY + stepX * 4, baseX + stepY * 4, baseY - stepX * 4);
  }

  void text(String style, int x, int y, int size, String anchor, String text) {
    add("<text class='%s' x='%d' y='%d' font-size='%d' text-anchor='%s'>%s</text>", style, x, y, size, anchor, escaped(text));
  }

  void code(String style, int x, int y, int size, String anchor, String text) {
    add(
        "<text class='%s' x='%d' y='%d' font-size='%d' text-anchor='%s' font-family='ui-monospace,DejaVu Sans Mono,monospace'>%s</text>",
        style, x, y, size, anchor, escaped(text));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String colours(int column) {
    StringBuilder rules = new StringBuilder();
    for (String[] style : STYLES) {
      rules.append(String.format(".%s{%s}", style[0], String.format(style[1], style[column])));
    }
    return rules.toString();
  }

  String written() {
    return String.format(
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' role='img'"
                + " font-family='system-ui,DejaVu Sans,sans-serif'>%n",
            width, height, width, height)
        + "  <title>"
        + escaped(title)
        + "</title>\n"
        + "  <style>"
        + colours(2)
        + "@media(prefers-color-scheme:dark){"
        + colours(3)
        + "}</style>\n"
        + body
        + "</svg>\n";
  }
}
