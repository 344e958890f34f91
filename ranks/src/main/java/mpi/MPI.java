package mpi;

import java.nio.ByteBuffer;
import org.reprise.ranks.Communicator;

/**
 * Where a program begins and ends, and the names that all programs share. These are the same
 * objects for every rank; what they mean to a rank follows from who calls.
 */
@SuppressWarnings({"MemberName", "NonFinalStaticField"})
public class MPI {
  public static final boolean DEBUG = false;
  public static boolean isOldSelected = false;
  public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

  public static int UNDEFINED = -1;
  public static int ANY_SOURCE = -2;
  public static int ANY_TAG = -2;
  public static int PROC_NULL = -3;

  public static final int IDENT = 0;
  public static final int CONGRUENT = 3;
  public static final int SIMILAR = 1;
  public static final int UNEQUAL = 2;
  public static int GRAPH = 1;
  public static int CART = 2;

  /** Keys of attributes. */
  public static int TAG_UB = 1;

  public static int HOST = 2;
  public static int IO = 3;

  public static int THREAD_SINGLE = 1;
  public static int THREAD_FUNNELED = 2;
  public static int THREAD_SERIALIZED = 3;
  public static int THREAD_MULTIPLE = 4;

  /** Bytes that a message takes beside its elements: none. */
  public static int BSEND_OVERHEAD = 0;

  public static int SEND_OVERHEAD = 0;
  public static int RECV_OVERHEAD = 0;

  public static Datatype NULL = Datatype.nothing();
  public static Datatype BYTE = Datatype.of(Basic.BYTE);
  public static Datatype CHAR = Datatype.of(Basic.CHAR);
  public static Datatype SHORT = Datatype.of(Basic.SHORT);
  public static Datatype BOOLEAN = Datatype.of(Basic.BOOLEAN);
  public static Datatype INT = Datatype.of(Basic.INT);
  public static Datatype LONG = Datatype.of(Basic.LONG);
  public static Datatype FLOAT = Datatype.of(Basic.FLOAT);
  public static Datatype DOUBLE = Datatype.of(Basic.DOUBLE);
  public static Datatype PACKED = Datatype.of(Basic.PACKED);
  public static Datatype LB = Datatype.lowerMark();
  public static Datatype UB = Datatype.upperMark();
  public static Datatype OBJECT = Datatype.of(Basic.OBJECT);
  public static Datatype SHORT2 = Datatype.Contiguous(2, SHORT);
  public static Datatype INT2 = Datatype.Contiguous(2, INT);
  public static Datatype LONG2 = Datatype.Contiguous(2, LONG);
  public static Datatype FLOAT2 = Datatype.Contiguous(2, FLOAT);
  public static Datatype DOUBLE2 = Datatype.Contiguous(2, DOUBLE);

  public static Op MAX = new Op(Predefined.MAX);
  public static Op MIN = new Op(Predefined.MIN);
  public static Op SUM = new Op(Predefined.SUM);
  public static Op PROD = new Op(Predefined.PROD);
  public static Op LAND = new Op(Predefined.LAND);
  public static Op BAND = new Op(Predefined.BAND);
  public static Op LOR = new Op(Predefined.LOR);
  public static Op BOR = new Op(Predefined.BOR);
  public static Op LXOR = new Op(Predefined.LXOR);
  public static Op BXOR = new Op(Predefined.BXOR);
  public static Op MAXLOC = new Op(Predefined.MAXLOC);
  public static Op MINLOC = new Op(Predefined.MINLOC);

  public static Errhandler ERRORS_ARE_FATAL = new Errhandler();
  public static Errhandler ERRORS_RETURN = new Errhandler();

  public static Group GROUP_EMPTY = new Group(new int[0]);
  public static Group GROUP_NULL = new Group(new int[0]);
  public static Comm COMM_NULL = new Comm();
  public static Request REQUEST_NULL = new Request();
  public static Status EMPTY_STATUS = new Status();

  public static Intracomm COMM_WORLD =
      new Intracomm() {
        @Override
        Communicator handle(String call, RankState state) {
          return state.fabric.world();
        }

        @Override
        boolean isNull() {
          return false;
        }
      };

  public static Comm COMM_SELF =
      new Intracomm() {
        @Override
        Communicator handle(String call, RankState state) {
          return state.fabric.self();
        }

        @Override
        boolean isNull() {
          return false;
        }
      };

  public MPI() {}

  /** Begins. Returns the program's arguments: here they are the given ones. */
  public static String[] Init(String[] args) throws MPIException {
    RankState.current("Init").begin();
    return args;
  }

  /** Begins; {@link #queryThread} tells the level, which the fabric decides. */
  public static String[] initThread(int required, int provided, String[] args) {
    return Init(args);
  }

  public static boolean isMainThread() {
    return RankState.active("isMainThread").isMainThread();
  }

  public static int queryThread() {
    return RankState.active("queryThread").fabric.anyThread() ? THREAD_MULTIPLE : THREAD_FUNNELED;
  }

  /** Ends; warns of what the program has left undone. */
  public static void Finalize() throws MPIException {
    RankState.active("Finalize").end();
  }

  /** Whether the calling rank is between Init and Finalize. */
  public static boolean Initialized() throws MPIException {
    return RankState.current("Initialized").isInitialized();
  }

  /** Gives room for the messages of buffered sends. */
  public static void Buffer_attach(ByteBuffer buffer) throws MPIException {
    RankState state = RankState.active("Buffer_attach");
    Misuse.unless(
        state.attachedBytes < 0,
        "Buffer_attach",
        "a buffer is attached already, of bytes: ",
        state.attachedBytes);
    state.attachedBytes = buffer.capacity();
  }

  public static void Buffer_detach() throws MPIException {
    RankState state = RankState.active("Buffer_detach");
    Misuse.unless(state.attachedBytes >= 0, "Buffer_detach", "no buffer is attached", "");
    state.attachedBytes = -1;
  }

  public static String Get_processor_name() throws MPIException {
    return RankState.active("Get_processor_name").fabric.processorName();
  }

  public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
    RankState.active("Errorhandler_set").errhandler = errhandler;
  }

  public static Errhandler Errorhandler_get() throws MPIException {
    return RankState.active("Errorhandler_get").errhandler;
  }

  /** Seconds since some moment in the past. */
  public static double Wtime() throws MPIException {
    return RankState.current("Wtime").fabric.wtime();
  }

  /** What Wtime counts in. */
  public static double Wtick() throws MPIException {
    return 1e-9;
  }
}
