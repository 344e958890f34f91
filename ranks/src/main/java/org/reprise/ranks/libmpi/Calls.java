package org.reprise.ranks.libmpi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.FabricError;

/**
 * The functions of libmpi. A process has one libmpi, so they are constants, which the compiler of
 * the JVM calls directly. The library must be loaded before this class is.
 */
final class Calls {
  private static final Library LIBRARY = Library.loaded();

  static final MethodHandle INIT_THREAD = of("MPI_Init_thread", "ppip");
  static final MethodHandle FINALIZE = of("MPI_Finalize", "");
  static final MethodHandle ABORT = of("MPI_Abort", "hi");
  static final MethodHandle PROCESSOR_NAME = of("MPI_Get_processor_name", "pp");
  static final MethodHandle SET_ERRHANDLER = of("MPI_Comm_set_errhandler", "hh");
  private static final MethodHandle ERROR_CLASS = of("MPI_Error_class", "ip");
  private static final MethodHandle ERROR_STRING = of("MPI_Error_string", "ipp");
  static final MethodHandle WTIME =
      Library.plain("MPI_Wtime", FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE));

  static final MethodHandle SEND = of("MPI_Send", "pihiih");
  static final MethodHandle SSEND = of("MPI_Ssend", "pihiih");
  static final MethodHandle RSEND = of("MPI_Rsend", "pihiih");
  static final MethodHandle ISEND = of("MPI_Isend", "pihiihp");
  static final MethodHandle ISSEND = of("MPI_Issend", "pihiihp");
  static final MethodHandle IRSEND = of("MPI_Irsend", "pihiihp");
  static final MethodHandle RECV = of("MPI_Recv", "pihiihp");
  static final MethodHandle IRECV = of("MPI_Irecv", "pihiihp");
  static final MethodHandle SENDRECV = of("MPI_Sendrecv", "pihiipihiihp");
  static final MethodHandle PROBE = of("MPI_Probe", "iihp");
  static final MethodHandle IPROBE = of("MPI_Iprobe", "iihpp");

  static final MethodHandle WAIT = of("MPI_Wait", "pp");
  static final MethodHandle TEST = of("MPI_Test", "ppp");
  static final MethodHandle WAITALL = of("MPI_Waitall", "ipp");
  static final MethodHandle TESTALL = of("MPI_Testall", "ippp");
  static final MethodHandle WAITANY = of("MPI_Waitany", "ippp");
  static final MethodHandle TESTANY = of("MPI_Testany", "ipppp");
  static final MethodHandle WAITSOME = of("MPI_Waitsome", "ipppp");
  static final MethodHandle TESTSOME = of("MPI_Testsome", "ipppp");
  static final MethodHandle CANCEL = of("MPI_Cancel", "p");

  static final MethodHandle COMM_RANK = of("MPI_Comm_rank", "hp");
  static final MethodHandle COMM_SIZE = of("MPI_Comm_size", "hp");
  static final MethodHandle COMM_REMOTE_SIZE = of("MPI_Comm_remote_size", "hp");
  static final MethodHandle COMM_TEST_INTER = of("MPI_Comm_test_inter", "hp");
  static final MethodHandle COMM_GROUP = of("MPI_Comm_group", "hp");
  static final MethodHandle COMM_REMOTE_GROUP = of("MPI_Comm_remote_group", "hp");
  static final MethodHandle GROUP_INCL = of("MPI_Group_incl", "hipp");
  static final MethodHandle GROUP_TRANSLATE = of("MPI_Group_translate_ranks", "hiphp");
  static final MethodHandle GROUP_FREE = of("MPI_Group_free", "p");
  static final MethodHandle COMM_DUP = of("MPI_Comm_dup", "hp");
  static final MethodHandle COMM_SPLIT = of("MPI_Comm_split", "hiip");
  static final MethodHandle COMM_CREATE = of("MPI_Comm_create", "hhp");
  static final MethodHandle COMM_FREE = of("MPI_Comm_free", "p");
  static final MethodHandle INTERCOMM_CREATE = of("MPI_Intercomm_create", "hihiip");
  static final MethodHandle INTERCOMM_MERGE = of("MPI_Intercomm_merge", "hip");

  static final Pair BARRIER = pair("Barrier", "h");
  static final Pair BCAST = pair("Bcast", "pihih");
  static final Pair GATHERV = pair("Gatherv", "pihppphih");
  static final Pair SCATTERV = pair("Scatterv", "ppphpihih");
  static final Pair ALLGATHER = pair("Allgather", "pihpihh");
  static final Pair ALLGATHERV = pair("Allgatherv", "pihppphh");
  static final Pair ALLTOALL = pair("Alltoall", "pihpihh");
  static final Pair ALLTOALLV = pair("Alltoallv", "ppphppphh");
  static final Pair REDUCE = pair("Reduce", "ppihhih");
  static final Pair ALLREDUCE = pair("Allreduce", "ppihhh");
  static final Pair REDUCE_SCATTER = pair("Reduce_scatter", "ppphhh");
  static final Pair SCAN = pair("Scan", "ppihhh");
  static final Pair EXSCAN = pair("Exscan", "ppihhh");

  /** A collective function that waits, and the one that only starts it: with a request more. */
  record Pair(MethodHandle waiting, MethodHandle starting) {}

  private static Pair pair(String name, String arguments) {
    String lower = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    return new Pair(of("MPI_" + name, arguments), of("MPI_I" + lower, arguments + "p"));
  }

  private Calls() {}

  private static MethodHandle of(String name, String arguments) {
    return LIBRARY.function(name, arguments);
  }

  static Family family() {
    return LIBRARY.family();
  }

  /** Calls a function whose place on the hot path does not matter. */
  static void call(MethodHandle function, Object... arguments) {
    int code;
    try {
      code = (int) function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    check(code);
  }

  /**
   * Calls a collective function.
   *
   * @param request where the request goes if it is only started; null: it waits
   */
  static void call(Pair function, @Nullable MemorySegment request, Object... arguments) {
    if (request == null) {
      call(function.waiting, arguments);
    } else {
      Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = request;
      call(function.starting, all);
    }
  }

  /** MPI_Send and its kin. Hot: bench/java. */
  static void send(
      MethodHandle function,
      MemorySegment buffer,
      int count,
      long type,
      int dest,
      int tag,
      long comm) {
    int code;
    try {
      code = (int) function.invokeExact(buffer, count, type, dest, tag, comm);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    check(code);
  }

  /** MPI_Recv, MPI_Isend, MPI_Irecv and their kin: the last is a status or a request. Hot. */
  static void transfer(
      MethodHandle function,
      MemorySegment buffer,
      int count,
      long type,
      int peer,
      int tag,
      long comm,
      MemorySegment result) {
    int code;
    try {
      code = (int) function.invokeExact(buffer, count, type, peer, tag, comm, result);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    check(code);
  }

  /** MPI_Wait. Hot. */
  static void await(MemorySegment request, MemorySegment status) {
    int code;
    try {
      code = (int) WAIT.invokeExact(request, status);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    check(code);
  }

  private static void check(int code) {
    if (code != 0) {
      throw new FabricError(errorKind(code), errorText(code));
    }
  }

  private static FabricError.Kind errorKind(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(ValueLayout.JAVA_INT);
      int status = (int) ERROR_CLASS.invokeExact(code, found);
      return status == 0
          ? family().error(found.get(ValueLayout.JAVA_INT, 0))
          : FabricError.Kind.OTHER;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static String errorText(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(1024);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      int found = (int) ERROR_STRING.invokeExact(code, text, length);
      return found == 0 ? text.getString(0) : "MPI error " + code;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static double wtime() {
    try {
      return (double) WTIME.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
