/*
 * Fft: a fast Fourier transform over ranks; in each of the first steps a rank exchanges everything with one partner.
 *
 * The numbers lie in blocks, a block a rank; the number of ranks is a power of two. Steps whose butterflies span blocks
 * exchange blocks (Sendrecv) with the rank that differs in one bit; the others stay inside. The result comes out in
 * bit-reversed order, and rank 0 compares it with the sum that defines it.
 *
 *     reprise run -n 4 Fft.java [numbers a rank, a power of two]
 */
import mpi.MPI;

public class Fft {
  private static final int BLOCK = 1;

  public static void main(String[] args) throws Exception {
    MPI.Init(args);
    int rank = MPI.COMM_WORLD.Rank();
    int size = MPI.COMM_WORLD.Size();
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 16;
    if (Integer.bitCount(size) != 1 || Integer.bitCount(count) != 1) {
      throw new IllegalArgumentException("ranks and numbers a rank must be powers of two");
    }
    int n = size * count;
    // Real and imaginary parts alternate.
    double[] block = new double[2 * count];
    for (int i = 0; i < count; i++) {
      block[2 * i] = signal(rank * count + i);
    }

    double[] other = new double[2 * count];
    for (int span = n / 2; span >= count; span /= 2) {
      int partner = rank ^ (span / count);
      MPI.COMM_WORLD.Sendrecv(
          block, 0, 2 * count, MPI.DOUBLE, partner, BLOCK,
          other, 0, 2 * count, MPI.DOUBLE, partner, BLOCK);
      boolean upper = rank < partner;
      for (int i = 0; i < count; i++) {
        int place = (rank * count + i) % span;
        if (upper) {
          block[2 * i] += other[2 * i];
          block[2 * i + 1] += other[2 * i + 1];
        } else {
          turn(block, i, other[2 * i] - block[2 * i], other[2 * i + 1] - block[2 * i + 1], place, span);
        }
      }
    }
    for (int span = count / 2; span >= 1; span /= 2) {
      for (int start = 0; start < count; start += 2 * span) {
        for (int i = start; i < start + span; i++) {
          int j = i + span;
          double re = block[2 * i] - block[2 * j];
          double im = block[2 * i + 1] - block[2 * j + 1];
          block[2 * i] += block[2 * j];
          block[2 * i + 1] += block[2 * j + 1];
          turn(block, j, re, im, i - start, span);
        }
      }
    }

    double[] all = new double[2 * n];
    MPI.COMM_WORLD.Gather(block, 0, 2 * count, MPI.DOUBLE, all, 0, 2 * count, MPI.DOUBLE, 0);
    if (rank == 0) {
      double error = error(all, n);
      System.out.println(n + " numbers, error " + (error < 1e-9 ? "below 1e-9" : error));
    }
    MPI.Finalize();
  }

  /** Element i becomes (re, im) times exp(-pi i place / span). */
  private static void turn(double[] block, int i, double re, double im, int place, int span) {
    double angle = -Math.PI * place / span;
    block[2 * i] = re * Math.cos(angle) - im * Math.sin(angle);
    block[2 * i + 1] = re * Math.sin(angle) + im * Math.cos(angle);
  }

  private static double signal(int i) {
    return Math.sin(0.7 * i) + 0.25 * Math.cos(2.1 * i) + (i % 5) / 10.0;
  }

  /** The largest distance to the transform as it is defined. */
  private static double error(double[] all, int n) {
    int bits = Integer.numberOfTrailingZeros(n);
    double worst = 0;
    for (int k = 0; k < n; k++) {
      double re = 0;
      double im = 0;
      for (int i = 0; i < n; i++) {
        double angle = -2 * Math.PI * ((long) i * k % n) / n;
        re += signal(i) * Math.cos(angle);
        im += signal(i) * Math.sin(angle);
      }
      int at = bits == 0 ? 0 : Integer.reverse(k) >>> (Integer.SIZE - bits);
      worst = Math.max(worst, Math.hypot(all[2 * at] - re, all[2 * at + 1] - im));
    }
    return worst;
  }
}
