// expect: anomaly MergeSort.Sort.values[*] WRITE-WRITE
// expect: anomaly MergeSort.Sort.values[*] WRITE-READ
// expect: anomaly MergeSort.Sort.buffer[*] WRITE-WRITE
// expect: anomaly MergeSort.Sort.buffer[*] WRITE-READ
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;

final class MergeSort {
  private static final class Sort extends RecursiveAction {
    private final int[] values;
    private final int[] buffer;
    private final int from;
    private final int to;

    Sort(int[] values, int[] buffer, int from, int to) {
      this.values = values;
      this.buffer = buffer;
      this.from = from;
      this.to = to;
    }

    @Override
    protected void compute() {
      if (to - from < 16) {
        java.util.Arrays.sort(values, from, to);
        return;
      }
      int middle = (from + to) / 2;
      invokeAll(new Sort(values, buffer, from, middle + 1), new Sort(values, buffer, middle, to));
      int left = from;
      int right = middle;
      for (int i = from; i < to; i++) {
        buffer[i] = left < middle && (right == to || values[left] <= values[right]) ? values[left++] : values[right++];
      }
      System.arraycopy(buffer, from, values, from, to - from);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int[] values = new int[300];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 37 % 300;
    }
    ForkJoinPool.commonPool().invoke(new Sort(values, new int[300], 0, 300));
    System.out.println(values[17]);
  }
}
