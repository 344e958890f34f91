import mpi.*;

/** Counts the letters of a text of which every rank gets a part, the first ones a longer one. */
public class LetterCount {
  public static void main(String[] args) throws MPIException {
    MPI.Init(args);
    int me = MPI.COMM_WORLD.getRank();
    int size = MPI.COMM_WORLD.getSize();
    char[] text = "she sells sea shells by the sea shore".toCharArray();
    int[] counts = new int[size];
    int[] starts = new int[size];
    for (int r = 0; r < size; r++) {
      counts[r] = text.length / size + (r < text.length % size ? 1 : 0);
      starts[r] = r == 0 ? 0 : starts[r - 1] + counts[r - 1];
    }
    char[] mine = new char[counts[me]];
    MPI.COMM_WORLD.scatterv(
        me == 0 ? text : null, counts, starts, MPI.CHAR, mine, mine.length, MPI.CHAR, 0);
    int[] letters = new int[26];
    for (char c : mine) {
      if (c >= 'a' && c <= 'z') {
        letters[c - 'a']++;
      }
    }
    int[] total = new int[26];
    MPI.COMM_WORLD.reduce(letters, total, 26, MPI.INT, MPI.SUM, 0);
    if (me == 0) {
      StringBuilder often = new StringBuilder();
      for (int i = 0; i < 26; i++) {
        if (total[i] > 2) {
          often.append(' ').append((char) ('a' + i)).append('=').append(total[i]);
        }
      }
      System.out.println("letters:" + often);
    }
    MPI.Finalize();
  }
}
