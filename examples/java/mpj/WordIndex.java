import java.util.Map;
import java.util.TreeMap;
import mpi.*;

/** An index of words: each rank reads some lines, and the first gathers everybody's maps as objects. */
public class WordIndex {
  private static final String[] LINES = {
    "the cat sat on the mat", "a dog ate the cat", "on a mat a dog sat", "the end"
  };

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    TreeMap<String, Integer> mine = new TreeMap<String, Integer>();
    for (int line = me; line < LINES.length; line += size) {
      for (String word : LINES[line].split(" ")) {
        mine.merge(word, 1, Integer::sum);
      }
    }
    Object[] all = new Object[size];
    MPI.COMM_WORLD.Gather(new Object[] {mine}, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT, 0);
    if (me == 0) {
      TreeMap<String, Integer> total = new TreeMap<String, Integer>();
      for (Object each : all) {
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) each).entrySet()) {
          total.merge((String) entry.getKey(), (Integer) entry.getValue(), Integer::sum);
        }
      }
      System.out.println(total);
    }
    MPI.Finalize();
  }
}
