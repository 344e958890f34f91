package org.reprise.trace.text;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** JSON that people can read too. */
public final class JsonText {
  private static final ObjectWriteContext INDENTED =
      new ObjectWriteContext.Base() {
        @Override
        public PrettyPrinter getPrettyPrinter() {
          return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
          return true;
        }
      };

  /** What {@code content} writes, one JSON value, without a line end. */
  public static String indented(Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(INDENTED, text)) {
      content.accept(json);
    }
    return text.toString();
  }

  private JsonText() {}
}
