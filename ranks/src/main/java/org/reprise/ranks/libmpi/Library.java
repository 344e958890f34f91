package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.UserError;

/**
 * The libmpi of this process. It is loaded for everybody to see, and functions are then looked up
 * in the whole process: a library that was loaded before it and wraps MPI calls, as Reprise's
 * interposer does, is found first. Looked up in libmpi itself, calls would pass it by.
 */
final class Library {
  private static final int RTLD_NOW_GLOBAL = 0x102;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle DLOPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("dlopen"),
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
  private static final MethodHandle DLSYM =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("dlsym"),
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS));

  private static @Nullable Library loaded;

  private final Family family;

  private Library(Family family) {
    this.family = family;
  }

  /** That of this process, after {@link #load}. */
  static Library loaded() {
    return Objects.requireNonNull(loaded, "libmpi is not loaded yet");
  }

  Family family() {
    return family;
  }

  /** Loads the library of whoever started this process, as its environment tells. */
  static Library load(Map<String, String> environment) {
    List<String> candidates = candidates(environment);
    for (String candidate : candidates) {
      if (open(candidate)) {
        boolean isOpenMpi = find("ompi_mpi_comm_world").isPresent();
        Library library = new Library(isOpenMpi ? new OpenMpi(Library::address) : new Mpich());
        loaded = library;
        return library;
      }
    }
    throw new UserError(
        "there is no MPI library that a Java program could use",
        "none of these could be loaded: " + String.join(", ", candidates),
        "start it with mpirun of Open MPI or MPICH, and put the library into LD_LIBRARY_PATH; or"
            + " run it without MPI: reprise run -n 4 Program.java");
  }

  /** Names to try: those of the MPI that started us, then of any. */
  private static List<String> candidates(Map<String, String> environment) {
    List<String> openMpi = List.of("libmpi.so.40", "libmpi.so.80");
    List<String> mpich = List.of("libmpich.so.12", "libmpi.so.12");
    // Only its launcher sets this one; users set others of Open MPI's for good.
    boolean byOpenMpi = environment.containsKey("OMPI_COMM_WORLD_RANK");
    boolean byMpich = environment.containsKey("PMI_RANK") || environment.containsKey("PMI_FD");
    List<String> names = new ArrayList<>(launcherLibraries());
    names.addAll(byMpich && !byOpenMpi ? mpich : openMpi);
    if (byMpich == byOpenMpi) {
      names.addAll(mpich);
    }
    names.add("libmpi.so");
    return names;
  }

  /** An MPI that lies in a directory of its own has its library beside the launcher's bin. */
  private static List<String> launcherLibraries() {
    List<String> found = new ArrayList<>();
    Optional<ProcessHandle> ancestor = ProcessHandle.current().parent();
    for (int i = 0; i < 4 && ancestor.isPresent(); i++) {
      Optional<Path> bin = ancestor.get().info().command().map(Path::of).map(Path::getParent);
      bin.map(Path::getParent)
          .filter(prefix -> !prefix.equals(Path.of("/usr")) && prefix.getNameCount() > 0)
          .map(prefix -> prefix.resolve("lib/libmpi.so"))
          .filter(Files::exists)
          .ifPresent(library -> found.add(library.toString()));
      ancestor = ancestor.get().parent();
    }
    return found;
  }

  private static boolean open(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle =
          (MemorySegment) DLOPEN.invokeExact(arena.allocateFrom(name), RTLD_NOW_GLOBAL);
      return handle.address() != 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where a symbol is, in the order in which the loader looks. */
  static Optional<MemorySegment> find(String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found =
          (MemorySegment) DLSYM.invokeExact(MemorySegment.NULL, arena.allocateFrom(symbol));
      return found.address() == 0 ? Optional.empty() : Optional.of(found);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static long address(String symbol) {
    return find(symbol)
        .orElseThrow(
            () ->
                new UserError(
                    "the MPI library lacks something that a Java program needs",
                    symbol,
                    "use Open MPI 4 or newer, or MPICH 3 or newer"))
        .address();
  }

  /**
   * A function of libmpi as Java calls it.
   *
   * @param arguments a letter each: i an int, p an address, h a handle
   */
  MethodHandle function(String name, String arguments) {
    FunctionDescriptor shape =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            arguments
                .chars()
                .mapToObj(
                    letter ->
                        switch (letter) {
                          case 'i' -> ValueLayout.JAVA_INT;
                          case 'p' -> ValueLayout.ADDRESS;
                          case 'h' -> family.handle();
                          default -> throw new IllegalArgumentException(arguments);
                        })
                .toArray(MemoryLayout[]::new));
    MethodHandle raw = LINKER.downcallHandle(MemorySegment.ofAddress(address(name)), shape);
    // Handles are ints in one family and pointers in the other; Java has a long for both.
    Class<?>[] types =
        arguments
            .chars()
            .mapToObj(
                letter ->
                    letter == 'i' ? int.class : letter == 'p' ? MemorySegment.class : long.class)
            .toArray(Class<?>[]::new);
    return MethodHandles.explicitCastArguments(raw, MethodType.methodType(int.class, types));
  }

  /** Any function of the process, libc's too. */
  static MethodHandle plain(String name, FunctionDescriptor shape, Linker.Option... options) {
    return LINKER.downcallHandle(MemorySegment.ofAddress(address(name)), shape, options);
  }
}
