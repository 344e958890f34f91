package org.reprise.debugger.gdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.reprise.debugger.source.SourceFrame;

/** What is loaded where in a process: tells frames of the program from those of MPI and Reprise. */
final class Modules {
  private static final Pattern OURS = Pattern.compile("libreprise-.*\\.so");

  /** Libraries that a call of MPI goes through on its way from the program to us. */
  private static final Pattern OF_MPI =
      Pattern.compile("lib(p?mpi|mpich|mpifort|mpicxx|open-(pal|rte)|mpi_).*\\.so.*");

  private record Range(long end, String module) {}

  private final TreeMap<Long, Range> ranges = new TreeMap<>();

  static Modules of(long process) {
    Modules modules = new Modules();
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process), "maps"))) {
        int slash = line.indexOf('/');
        int dash = line.indexOf('-');
        int space = line.indexOf(' ');
        if (slash > 0 && dash > 0 && dash < space) {
          modules.ranges.put(
              Long.parseUnsignedLong(line.substring(0, dash), 16),
              new Range(
                  Long.parseUnsignedLong(line.substring(dash + 1, space), 16),
                  line.substring(line.lastIndexOf('/') + 1)));
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Nothing is known to be hidden then.
    }
    return modules;
  }

  private String at(long address) {
    Map.Entry<Long, Range> below = ranges.floorEntry(address);
    return below != null && address < below.getValue().end ? below.getValue().module : "";
  }

  /** The frames behind the last one of ours and what else is MPI's, up to what starts a program. */
  List<SourceFrame> ofProgram(List<SourceFrame> frames) {
    int first = 0;
    for (int i = 0; i < frames.size(); i++) {
      if (OURS.matcher(at(frames.get(i).address())).matches()) {
        first = i + 1;
      }
    }
    while (first > 0
        && first < frames.size()
        && OF_MPI.matcher(at(frames.get(first).address())).matches()) {
      first++;
    }
    int end = first;
    while (end < frames.size() && !frames.get(end).function().startsWith("__libc_start")) {
      end++;
    }
    return frames.subList(first, end);
  }
}
