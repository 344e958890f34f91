package org.reprise.anomaly.hooks;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A thread as the detector sees it: which block the thread is executing. A method asks for it once
 * ({@link Hooks#context}) and hands it to every check; the object stays the same for the life of
 * the thread, only its fields change, at forks and joins and around tasks and iterations.
 *
 * <p>The fields belong to the thread itself: only it writes and reads them.
 */
public class Context {
  private static final int SITES = 64;

  /** How many statements are told apart; a power of two. */
  protected static final int STATEMENTS = 256;

  private static final Steps[] NO_STEPS = new Steps[STATEMENTS];

  static {
    Arrays.fill(NO_STEPS, new Steps());
  }

  /** A thread that is never checked: the one that everybody has while no detector is installed. */
  static final Context OFF = new Context();

  /**
   * Whether accesses of this thread must be checked. Not so while nothing can run concurrently:
   * what the only thread does is ordered with everything before it and after it.
   */
  public boolean on;

  /** The current block. Tags are positive, and rise along every path of forks and joins. */
  public int tag;

  /** Every block whose tag is at most this is ordered before the current one. */
  public int floor;

  /**
   * The number of the loop, in the upper half, if the block is an iteration of one that holds no
   * lock and knows no more than the loop's other iterations; else 0.
   */
  public long loop;

  /** The stream that the program's code is about to end, and where; null for none. */
  private @Nullable Object ending;

  private int endingSite;

  /** The method that is called for each element of that stream; 0 if that is not known. */
  private int endingBody;

  /**
   * The method that is about to be called for iterations of a loop, or asked what they are going to
   * do; 0 for none.
   */
  private int body;

  /** How many iterations these are. */
  private int calls;

  private boolean isQueried;
  private boolean isDeclared;

  /** How the iterations of a loop go on, by the statement. */
  private Steps[] steps = NO_STEPS;

  /** By the site that reads a static field: the loop of which further iterations add nothing. */
  private final long[] readByMany = new long[SITES];

  /** Arrays of which further iterations of the loop need not ask the objects. */
  final ReadArrays readArrays = new ReadArrays();

  /** Lists of indices, by the site. */
  private final @Nullable Indices[] indices = new Indices[SITES];

  /** Those that hold something. */
  private @Nullable Indices[] listed = new Indices[SITES];

  private int listedCount;

  protected Context() {}

  /**
   * The program's code is about to call a method that ends this stream.
   *
   * @param method what is called for each element, and nothing else; 0 if that is not known
   */
  final void ends(Object stream, int site, int method) {
    ending = stream;
    endingSite = site;
    endingBody = method;
  }

  /** Where the program's code ends the stream; -1 if it is not the one that it was about to end. */
  public final int takeEnding(Object stream) {
    boolean isKnown = ending == stream;
    ending = null;
    return isKnown ? endingSite : -1;
  }

  /** What is called for each element of the stream that {@link #takeEnding} was asked about. */
  public final int endingBody() {
    return endingBody;
  }

  /**
   * Asks the method that a loop calls in each iteration what they all do, from the current one on:
   * called now, it declares them and does nothing else.
   *
   * @param function calls the method, with the iteration's number as the last argument
   * @return whether it has told; if not, then nothing
   */
  protected final boolean query(int method, int count, IntConsumer function, int number) {
    body = method;
    calls = count;
    isQueried = true;
    isDeclared = false;
    try {
      function.accept(number);
    } finally {
      body = 0;
      isQueried = false;
    }
    return isDeclared;
  }

  /**
   * The method is about to be called for the first of so many iterations, which were declared
   * ahead: then it does them all. If it {@link #isStillToCall} after that, it has done only one.
   */
  public void willCall(int method, int count) {
    body = method;
    calls = count;
  }

  public final boolean isStillToCall() {
    boolean isStill = body != 0;
    body = 0;
    return isStill;
  }

  /** Whether this call of the method stands for others, or is a question. */
  final boolean isAhead(int method) {
    return body == method;
  }

  final boolean isQueried() {
    return isQueried;
  }

  /** How many iterations are asked for. */
  final int callsQueried() {
    return calls;
  }

  final void declared() {
    isDeclared = true;
  }

  /** How many iterations are to be done now. */
  final int takeCalls() {
    body = 0;
    return calls;
  }

  /** This iteration and those after it access a range, each so much further than the one before. */
  protected void each(
      Object array,
      int from,
      int to,
      int stride,
      int shift,
      int count,
      boolean isWrite,
      int site) {}

  /** Whether some rows, which are always the same, have all elements below one. */
  protected boolean holdsRows(Object[] rows, int first, int count, int to) {
    return false;
  }

  /** As {@link #each}, each in a row of its own: the first one's is at a place of the rows. */
  protected void eachRow(
      Object[] rows,
      int first,
      int from,
      int to,
      int stride,
      int shift,
      int count,
      boolean isConstant,
      boolean isWrite,
      int site) {}

  /** From now on statements go on as these say: {@link #STATEMENTS} of them. */
  protected final void goOnWith(Steps[] newSteps) {
    steps = newSteps;
  }

  /** Whether a further iteration that reads a static field at the site adds nothing. */
  final boolean isReadByMany(int site) {
    return loop != 0 && readByMany[site & (SITES - 1)] == (loop | site);
  }

  /** Two iterations of the loop have read the static field at the site. */
  public final void readByMany(int site) {
    readByMany[site & (SITES - 1)] = loop | site;
  }

  /** Where a statement's steps are. */
  protected static int slot(int statement) {
    return statement & (STATEMENTS - 1);
  }

  /** Whether an access is what its statement was expected to do, and nothing is left to be done. */
  public final boolean goesOn(Object array, int from, int to, int stride, int statement) {
    Steps last = steps[slot(statement)];
    return loop != 0 && last.statement == statement && last.goOn(array, from, to, stride, tag);
  }

  /** Whether a statement goes through a list of indices as it did before, so that it is noted. */
  final boolean goesThrough(Object array, int[] list, int from, int to, int stride, int statement) {
    Indices last = indices[statement >> 1 & (SITES - 1)];
    return last != null
        && last.statement == statement
        && last.goOn(array, list, from, to, stride, tag);
  }

  /** Whether lists of indices go on after the loop that made them. */
  protected boolean keepsIndices() {
    return false;
  }

  /** The block, and others after it, accessed elements that {@link Indices} listed. */
  protected void elements(
      Object array, int[] indices, int count, int first, boolean isWrite, int site) {
    if (isWrite) {
      Hooks.detector().writeElements(array, indices, count, first, site, this);
    } else {
      Hooks.detector().readElements(array, indices, count, first, site, this);
    }
  }

  /** What takes the place of a list; null where a list is as good. */
  protected @Nullable Stamps stamps(Object array, boolean isWrite, int site) {
    return null;
  }

  /** The list for a site, which goes on in the current block. */
  protected final Indices indices(boolean isWrite, int site) {
    int slot = site & (SITES - 1);
    Indices list = indices[slot];
    if (list == null || list.site != site || list.isWrite != isWrite) {
      list = new Indices(this, isWrite, site);
      indices[slot] = list;
    } else {
      list.begin(tag);
    }
    return list;
  }

  /** The element in no order, for a site that {@link #indices} gave a list. */
  protected static void add(Indices list, Object array, int index) {
    list.add(array, index);
  }

  /** The list holds something. */
  final void lists(Indices list) {
    if (listedCount == listed.length) {
      listed = Arrays.copyOf(listed, 2 * listedCount);
    }
    listed[listedCount++] = list;
  }

  /** Reports what is listed. */
  protected final void reportIndices() {
    for (int i = 0; i < listedCount; i++) {
      Indices list = listed[i];
      listed[i] = null;
      if (list != null) {
        list.report();
      }
    }
    listedCount = 0;
  }
}
