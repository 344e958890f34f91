/**
 * Runs a kernel a few times and prints the shortest time of one run, in nanoseconds, its result, and
 * how many bytes are in use when it is over.
 */
final class RunKernel {
  private RunKernel() {}

  public static void main(String[] arguments) {
    Kernel kernel = Kernel.named(arguments[0]);
    int repeats = Integer.parseInt(arguments[1]);
    long best = Long.MAX_VALUE;
    double result = 0;
    for (int i = 0; i < repeats; i++) {
      long start = System.nanoTime();
      result = kernel.run();
      best = Math.min(best, System.nanoTime() - start);
    }
    System.gc();
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    System.out.println(best + " " + result + " " + used);
  }
}
