package org.reprise.anomaly.agent;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Hooks;

/** Runs programs of {@link RandomLoops} in one virtual machine: verdicts, and what they leave. */
final class LoopsDriver {
  private LoopsDriver() {}

  /** Arguments: the file for what is found, then the classes. */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      add(file, arguments[i] + "\t");
      String ending = "";
      Class<?> type = Class.forName(arguments[i]);
      try {
        type.getMethod("run").invoke(null);
      } catch (InvocationTargetException e) {
        ending = String.valueOf(e.getCause());
      } catch (Throwable e) {
        ending = String.valueOf(e);
      }
      // What a loop leaves behind that has thrown.
      ForkJoinPool.commonPool().awaitQuiescence(2, TimeUnit.SECONDS);
      String verdict = String.valueOf(Hooks.takeVerdict()).strip();
      StringBuilder words = new StringBuilder();
      Object[] heap = (Object[]) type.getField("heap").get(null);
      if (heap != null) {
        String caught = (String) heap[0];
        words.append(caught.isEmpty() ? 0 : caught.split(" ").length).append(' ').append(caught);
        for (int n = 1; n < heap.length; n++) {
          describe(heap[n], words);
        }
      }
      add(
          file,
          verdict + "\t" + ending.replace('\n', ' ').replace('\t', ' ') + "\t" + words + "\n");
    }
  }

  private static void add(Path file, String words) throws Exception {
    Files.writeString(file, words, StandardOpenOption.APPEND);
  }

  private static void describe(@Nullable Object array, StringBuilder words) {
    if (array == null) {
      words.append("null ");
      return;
    }
    words.append('#').append(Array.getLength(array)).append(' ');
    for (int i = 0; i < Array.getLength(array); i++) {
      Object element = Array.get(array, i);
      Class<?> type = array.getClass().getComponentType();
      if (type.isArray()) {
        describe(element, words);
      } else if (element instanceof Boolean is) {
        words.append(is ? "1 " : "0 ");
      } else if (element instanceof Character letter) {
        words.append((int) letter).append(' ');
      } else {
        words.append(element == null ? 0 : ((Number) element).intValue()).append(' ');
      }
    }
  }
}
