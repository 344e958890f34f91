package mpi;

/**
 * The edges of a {@link Graphcomm}: those of rank r are {@code edges[index[r-1] .. index[r]-1]}.
 */
public class GraphParms {
  public int[] index;
  public int[] edges;

  public GraphParms() {
    this(new int[0], new int[0]);
  }

  GraphParms(int[] index, int[] edges) {
    this.index = index;
    this.edges = edges;
  }

  public int getIndexCount() {
    return index.length;
  }

  public int getIndex(int i) {
    return index[i];
  }

  public int getEdgeCount() {
    return edges.length;
  }

  public int getEdge(int i) {
    return edges[i];
  }
}
