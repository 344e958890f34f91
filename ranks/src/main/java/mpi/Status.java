package mpi;

import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Received;

/** What a receive, a probe or a completed request came to. */
@SuppressWarnings("MemberName")
public class Status implements Freeable {
  public int source;
  public int tag;

  /** Of Waitany and its like: which of the requests it was. */
  public int index;

  /** Basic elements of the message. */
  public int count;

  /** The same, as MPJ Express has it twice. */
  public int numEls;

  public int countInBytes;

  private BasicType type = BasicType.BYTE;
  private boolean cancelled;

  public Status() {
    this(MPI.ANY_SOURCE, MPI.ANY_TAG);
  }

  private Status(int source, int tag) {
    this.source = source;
    this.tag = tag;
  }

  static Status of(Received received, int elements) {
    Status status = new Status(sourceOf(received), tagOf(received));
    status.type = received.type();
    status.cancelled = received.cancelled();
    status.count = elements;
    status.numEls = elements;
    status.countInBytes = (int) Math.min(Integer.MAX_VALUE, received.bytes());
    return status;
  }

  /** Of a probe: the number of objects is not known before they are read. */
  static Status ofProbe(Received received) {
    return of(received, received.type() == BasicType.OBJECT ? MPI.UNDEFINED : received.count());
  }

  private static int sourceOf(Received received) {
    return switch (received.source()) {
      case Fabric.PROC_NULL -> MPI.PROC_NULL;
      case Fabric.ANY_SOURCE -> MPI.ANY_SOURCE;
      default -> received.source();
    };
  }

  private static int tagOf(Received received) {
    return received.tag() == Fabric.ANY_TAG ? MPI.ANY_TAG : received.tag();
  }

  Status at(int place) {
    index = place;
    return this;
  }

  /** Whole items of a datatype in the message; MPI.UNDEFINED if it does not end with one. */
  public int Get_count(Datatype datatype) throws MPIException {
    int elements = Get_elements(datatype);
    int size = datatype.Size();
    if (elements == 0 || elements == MPI.UNDEFINED) {
      return elements;
    }
    return size > 0 && elements % size == 0 ? elements / size : MPI.UNDEFINED;
  }

  /** Basic elements in the message, if it were made of those that the datatype has. */
  public int Get_elements(Datatype datatype) throws MPIException {
    if (datatype.basic == null || countInBytes == 0) {
      return 0;
    }
    if (datatype.basic.wire == type) {
      return count;
    }
    if (datatype.basic == Basic.OBJECT || type == BasicType.OBJECT) {
      return MPI.UNDEFINED;
    }
    return countInBytes % datatype.basic.bytes == 0
        ? countInBytes / datatype.basic.bytes
        : MPI.UNDEFINED;
  }

  public boolean Test_cancelled() throws MPIException {
    return cancelled;
  }

  @Override
  public void free() {}

  // Open MPI's

  public int getSource() {
    return source;
  }

  public int getTag() {
    return tag;
  }

  /** Always MPI.SUCCESS: what fails throws. */
  public int getError() {
    return MPI.SUCCESS;
  }

  public int getIndex() {
    return index;
  }

  public int getCount(Datatype datatype) throws MPIException {
    return Get_count(datatype);
  }

  public int getElements(Datatype datatype) throws MPIException {
    return Get_elements(datatype);
  }

  public boolean isCancelled() throws MPIException {
    return cancelled;
  }
}
