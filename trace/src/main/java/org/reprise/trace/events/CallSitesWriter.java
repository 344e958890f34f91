package org.reprise.trace.events;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordSink;
import org.reprise.trace.file.Wire;

/** Writes a table of call sites; each different site once. The file is valid when it is closed. */
public final class CallSitesWriter implements AutoCloseable {
  private final RecordSink sink;
  private final Map<CallSite, Integer> numbers = new LinkedHashMap<>();
  private final Map<CallSite.Module, Integer> modules = new LinkedHashMap<>();

  /** Creates {@code file}, which must not exist. */
  public CallSitesWriter(Path file, RankHeader header) {
    if (header.file() != Wire.FileKind.SITES) {
      throw new IllegalArgumentException("not the header of a sites file: " + header.file());
    }
    sink = new RecordSink(file, header);
  }

  /** The number by which events name this site; all its frames are of one kind. */
  public int number(CallSite site) {
    Integer known = numbers.get(site);
    if (known != null) {
      return known;
    }
    boolean lines = site.frames().stream().allMatch(CallSite.Line.class::isInstance);
    for (CallSite.Frame frame : site.frames()) {
      if (!lines && frame instanceof CallSite.Address(Optional<CallSite.Module> module, _)) {
        module.ifPresent(this::module);
      }
    }
    sink.begin((lines ? Wire.SiteKind.LINES : Wire.SiteKind.STACK).ordinal(), site.frames().size());
    site.frames().forEach(this::frame);
    numbers.put(site, numbers.size() + 1);
    return numbers.size();
  }

  private void module(CallSite.Module module) {
    if (modules.putIfAbsent(module, modules.size() + 1) == null) {
      sink.begin(Wire.SiteKind.MODULE.ordinal(), 0);
      text(module.path().getBytes(StandardCharsets.UTF_8));
      text(HexFormat.of().parseHex(module.buildId()));
    }
  }

  private void frame(CallSite.Frame frame) {
    switch (frame) {
      case CallSite.Address(Optional<CallSite.Module> module, long offset) -> {
        sink.operand(module.map(modules::get).orElse(0));
        sink.operand(offset);
      }
      case CallSite.Line(String function, String file, int line) -> {
        text(function.getBytes(StandardCharsets.UTF_8));
        text(file.getBytes(StandardCharsets.UTF_8));
        sink.operand(line);
      }
    }
  }

  private void text(byte[] bytes) {
    sink.operand(bytes.length);
    for (byte b : bytes) {
      sink.putByte(b);
    }
  }

  /** The sites written so far, by number from 1. */
  public List<CallSite> sites() {
    return List.copyOf(numbers.keySet());
  }

  @Override
  public void close() {
    sink.close();
  }
}
