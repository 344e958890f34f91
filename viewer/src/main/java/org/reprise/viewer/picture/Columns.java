package org.reprise.viewer.picture;

import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * An answer in binary columns, which a page takes over as typed arrays without looking at each
 * number. First the length of a JSON text as four bytes, little endian; then that text, which names
 * the columns with type and length, and further fields; then the columns, each at a multiple of
 * eight bytes.
 */
public final class Columns {
  private static final int ALIGNMENT = 8;

  /** What a column holds, by the names that JavaScript gives its arrays. */
  private enum Type {
    UINT8(1),
    INT32(4),
    FLOAT64(8);

    private final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }
  }

  private record Column(String name, Type type, int length, ByteBuffer values) {}

  private record Field(String name, double value) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<Field> fields = new ArrayList<>();

  public Columns field(String name, double value) {
    fields.add(new Field(name, value));
    return this;
  }

  public Columns field(String name, boolean value) {
    return field(name, value ? 1 : 0);
  }

  private ByteBuffer column(String name, Type type, int length) {
    ByteBuffer values = ByteBuffer.allocate(length * type.bytes).order(ByteOrder.LITTLE_ENDIAN);
    columns.add(new Column(name, type, length, values));
    return values;
  }

  public Columns bytes(String name, byte[] values) {
    column(name, Type.UINT8, values.length).put(values);
    return this;
  }

  public Columns ints(String name, Ints values) {
    ByteBuffer into = column(name, Type.INT32, values.size());
    for (int i = 0; i < values.size(); i++) {
      into.putInt(values.get(i));
    }
    return this;
  }

  /** Numbers up to 2^53 in size, which JavaScript holds exactly. */
  public Columns numbers(String name, Longs values) {
    ByteBuffer into = column(name, Type.FLOAT64, values.size());
    for (int i = 0; i < values.size(); i++) {
      into.putDouble((double) values.get(i));
    }
    return this;
  }

  public byte[] encode() {
    byte[] head = head().getBytes(StandardCharsets.UTF_8);
    int size = aligned(4 + head.length);
    for (Column column : columns) {
      size += aligned(column.values.capacity());
    }
    ByteBuffer all = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(head.length).put(head);
    int at = aligned(4 + head.length);
    for (Column column : columns) {
      all.position(at).put(column.values.flip());
      at += aligned(column.values.capacity());
    }
    return all.array();
  }

  private static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private String head() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeObjectPropertyStart("fields");
      fields.forEach(field -> json.writeNumberProperty(field.name, field.value));
      json.writeEndObject();
      json.writeArrayPropertyStart("columns");
      for (Column column : columns) {
        json.writeStartObject();
        json.writeStringProperty("name", column.name);
        json.writeStringProperty("type", column.type.name());
        json.writeNumberProperty("length", column.length);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }
}
