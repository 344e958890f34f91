/** One of the programs whose checking is measured; {@code run} does the same work each time. */
interface Kernel {
  /** A number that depends on everything computed, so that nothing is optimised away. */
  double run();

  static Kernel named(String name) {
    return switch (name) {
      case "jacobi" -> new Jacobi(1000);
      case "sor" -> new Sor(1000);
      case "matrix-multiply" -> new MatrixMultiply(512);
      case "lu" -> new Lu(600);
      case "n-body" -> new NBody(1500);
      case "merge-sort" -> new MergeSort(1_000_000);
      case "sparse" -> new Sparse(50_000);
      case "search" -> new Search(200);
      case "finite-elements" -> new FiniteElements(300);
      default -> throw new IllegalArgumentException("no kernel " + name);
    };
  }
}
