package org.reprise.anomaly.hooks;

/**
 * What becomes of the accesses that {@link Hooks} reports. One class extends it, in the agent, so
 * that the virtual machine calls it directly. What a method throws goes to {@link #failed}, never
 * to the program.
 */
public abstract class Detector {
  /** Nobody listens. */
  static final Detector NONE = new Detector() {};

  protected Detector() {}

  /** The context of the current thread, which has none yet. */
  public Context newContext() {
    return Context.OFF;
  }

  public void readElement(Object array, int index, int site, Context context) {}

  public void writeElement(Object array, int index, int site, Context context) {}

  public void readRange(Object array, int from, int to, int stride, int site, Context context) {}

  public void writeRange(Object array, int from, int to, int stride, int site, Context context) {}

  public void readField(Object object, int variable, int site, Context context) {}

  public void writeField(Object object, int variable, int site, Context context) {}

  public void readStatic(int variable, int site, Context context) {}

  public void writeStatic(int variable, int site, Context context) {}

  public void call(Object receiver, int site, Context context) {}

  public void callPart(Object receiver, Object part, int site, Context context) {}

  public void view(Object view, Object receiver, int site, Context context) {}

  public void enter(Object lock, Context context) {}

  public void exit(Object lock, Context context) {}

  public void initialize(boolean begins, Context context) {}

  public void hazard(int site, Context context) {}

  /** One of the methods above threw this. */
  public void failed(Throwable fault) {}
}
