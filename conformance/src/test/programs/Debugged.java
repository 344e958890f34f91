import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * A program whose state is one number: every message goes into a hash. What the hash was after each
 * call is written to a file at the end, so that whoever stops a rank can ask whether it is where it
 * was.
 */
public class Debugged {
  static final int ROUNDS = 12;
  static final int TAG_WORK = 1;
  static final int TAG_ANSWER = 2;
  static final int TAG_CELL = 3;

  static long hash = 1;
  static int calls;
  static int rank;
  static int size;
  static final List<String> history = new ArrayList<>();

  final long[][] in = new long[2][64];
  final long[] out = new long[64];

  static void note(long value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 29;
    history.add(Long.toString(hash));
    calls++;
  }

  /** Rank 0 answers whoever asks first; half of the time it looks before it takes a message. */
  static void serve(int round) throws MPIException {
    for (int left = size - 1; left > 0; left--) {
      int[] question = new int[1];
      while (round % 2 == 0 && MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, TAG_WORK) == null) {
        Thread.yield();
      }
      Status status =
          MPI.COMM_WORLD.Recv(question, 0, 1, MPI.INT, MPI.ANY_SOURCE, TAG_WORK);
      note(question[0]);
      int[] answer = {question[0] * 31 + (int) (hash % 1000)};
      MPI.COMM_WORLD.Send(answer, 0, 1, MPI.INT, status.source, TAG_ANSWER);
      note(answer[0]);
    }
  }

  static void ask(int round) throws MPIException {
    int[] word = {rank * 1000 + round};
    MPI.COMM_WORLD.Send(word, 0, 1, MPI.INT, 0, TAG_WORK);
    note(word[0]);
    MPI.COMM_WORLD.Recv(word, 0, 1, MPI.INT, 0, TAG_ANSWER);
    note(word[0]);
  }

  /** A call that completes four requests. */
  void exchange() throws MPIException {
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    out[0] = hash;
    out[63] = -hash;
    Request[] requests = {
      MPI.COMM_WORLD.Irecv(in[0], 0, 64, MPI.LONG, before, TAG_CELL),
      MPI.COMM_WORLD.Irecv(in[1], 0, 64, MPI.LONG, next, TAG_CELL),
      MPI.COMM_WORLD.Isend(out, 0, 64, MPI.LONG, next, TAG_CELL),
      MPI.COMM_WORLD.Isend(out, 0, 64, MPI.LONG, before, TAG_CELL)
    };
    Request.Waitall(requests);
    note(in[0][0] + 3 * in[1][63]);
  }

  static void agree(int round) throws MPIException {
    long[] sum = {hash % 1000};
    long[] all = new long[1];
    MPI.COMM_WORLD.Allreduce(sum, 0, all, 0, 1, MPI.LONG, MPI.SUM);
    note(all[0]);
    MPI.COMM_WORLD.Bcast(all, 0, 1, MPI.LONG, round % size);
    note(all[0]);
  }

  public static void main(String[] args) throws MPIException, IOException {
    MPI.Init(args);
    rank = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    history.add(Long.toString(hash));
    Debugged self = new Debugged();
    for (int round = 0; round < ROUNDS; round++) {
      if (rank == 0) {
        serve(round);
      } else {
        ask(round);
      }
      self.exchange();
      agree(round);
    }
    Files.write(Path.of("history-" + rank), history);
    MPI.Finalize();
  }
}
