package mpi;

import java.nio.ByteBuffer;
import org.reprise.ranks.MpjArguments;
import org.reprise.ranks.fabric.Communicator;

/**
 * Where a program begins and ends, and the names that all programs share. These are the same
 * objects for every rank; what they mean to a rank follows from who calls.
 */
@SuppressWarnings({"MemberName", "NonFinalStaticField"})
public class MPI extends Buffers {
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

  public static final int UNIVERSE_SIZE = 4;
  public static final int VERSION = 3;
  public static final int SUBVERSION = 1;
  public static final int KEYVAL_INVALID = -1;

  /** Classes of errors, with the numbers that Open MPI gives them. */
  public static final int SUCCESS = 0;

  public static final int ERR_BUFFER = 1;
  public static final int ERR_COUNT = 2;
  public static final int ERR_TYPE = 3;
  public static final int ERR_TAG = 4;
  public static final int ERR_COMM = 5;
  public static final int ERR_RANK = 6;
  public static final int ERR_REQUEST = 7;
  public static final int ERR_ROOT = 8;
  public static final int ERR_GROUP = 9;
  public static final int ERR_OP = 10;
  public static final int ERR_TOPOLOGY = 11;
  public static final int ERR_DIMS = 12;
  public static final int ERR_ARG = 13;
  public static final int ERR_UNKNOWN = 14;
  public static final int ERR_TRUNCATE = 15;
  public static final int ERR_OTHER = 16;
  public static final int ERR_INTERN = 17;
  public static final int ERR_IN_STATUS = 18;
  public static final int ERR_PENDING = 19;

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

  public static final Datatype DATATYPE_NULL = NULL;
  public static final Datatype SHORT_INT = Datatype.pair(Basic.SHORT);
  public static final Datatype LONG_INT = Datatype.pair(Basic.LONG);
  public static final Datatype FLOAT_INT = Datatype.pair(Basic.FLOAT);
  public static final Datatype DOUBLE_INT = Datatype.pair(Basic.DOUBLE);
  public static final Int2 int2 = new Int2();
  public static final ShortInt shortInt = new ShortInt();
  public static final LongInt longInt = new LongInt();
  public static final FloatInt floatInt = new FloatInt();
  public static final DoubleInt doubleInt = new DoubleInt();

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
        boolean isOutside() {
          return false;
        }

        @Override
        String defaultName() {
          return "MPI_COMM_WORLD";
        }
      };

  public static Intracomm COMM_SELF =
      new Intracomm() {
        @Override
        Communicator handle(String call, RankState state) {
          return state.fabric.self();
        }

        @Override
        boolean isOutside() {
          return false;
        }

        @Override
        String defaultName() {
          return "MPI_COMM_SELF";
        }
      };

  public static final Info INFO_NULL = new Info();
  public static final Info INFO_ENV = new Info();

  public MPI() {}

  /** Begins. Returns the program's own arguments, without those of MPJ's launcher. */
  public static String[] Init(String[] args) throws MPIException {
    RankState.current("Init").begin();
    return args == null ? null : MpjArguments.without(args);
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

  // Open MPI's

  /** Begins; returns the level that there is, whatever was required. */
  public static int InitThread(String[] args, int required) throws MPIException {
    Init(args);
    return queryThread();
  }

  public static boolean isThreadMain() throws MPIException {
    return isMainThread();
  }

  /** Whether the calling rank has called Init, also if it has called Finalize since. */
  public static boolean isInitialized() throws MPIException {
    RankState state = RankState.current("isInitialized");
    return state.isInitialized() || state.isFinalized();
  }

  public static boolean isFinalized() throws MPIException {
    return RankState.current("isFinalized").isFinalized();
  }

  public static double wtime() throws MPIException {
    return Wtime();
  }

  public static double wtick() throws MPIException {
    return Wtick();
  }

  public static String getProcessorName() throws MPIException {
    return Get_processor_name();
  }

  public static Version getVersion() throws MPIException {
    return new Version(VERSION, SUBVERSION);
  }

  public static String getLibVersion() throws MPIException {
    return "Reprise";
  }

  public static void attachBuffer(ByteBuffer buffer) throws MPIException {
    Buffer_attach(buffer);
    RankState.active("attachBuffer").attached = buffer;
  }

  public static void attachBuffer(byte[] buffer) throws MPIException {
    attachBuffer(ByteBuffer.wrap(buffer));
  }

  public static ByteBuffer detachBuffer() throws MPIException {
    Buffer_detach();
    return RankState.active("detachBuffer").attached;
  }

  /** Nothing to control. */
  public static void pControl(int level, Object obj) {}
}
