package mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/** Keys and values that a program hands to MPI; here they change nothing. */
public class Info implements Freeable {
  private final Map<String, String> values = new LinkedHashMap<>();
  private boolean freed;

  public Info() throws MPIException {}

  public void set(String key, String value) throws MPIException {
    values.put(key, value);
  }

  /** Null if the key is not there. */
  public String get(String key) throws MPIException {
    return values.get(key);
  }

  public void delete(String key) throws MPIException {
    Misuse.unless(values.remove(key) != null, "Info.delete", "there is no such key: ", key);
  }

  public int size() throws MPIException {
    return values.size();
  }

  /** The n-th key, in the order in which they were set. */
  public String getKey(int i) throws MPIException {
    Misuse.unless(
        i >= 0 && i < values.size(), "Info.getKey", "there is no key of this number: ", i);
    return values.keySet().stream().skip(i).findFirst().orElseThrow();
  }

  public Info dup() throws MPIException {
    Info copy = new Info();
    copy.values.putAll(values);
    return copy;
  }

  @Override
  @SuppressWarnings("MethodDoesntCallSuperMethod")
  public Info clone() {
    return dup();
  }

  @Override
  public void free() throws MPIException {
    freed = true;
  }

  public boolean isNull() {
    return freed;
  }
}
