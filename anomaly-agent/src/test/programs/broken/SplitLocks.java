// expect: anomaly SplitLocks.users WRITE-READ
// expect: anomaly SplitLocks.users WRITE-WRITE

/** One is written under the lock of the other. */
final class SplitLocks {
  private final Object ofUsers = new Object();
  private final Object ofQueries = new Object();
  private int users;
  private int queries;

  void addUser() {
    synchronized (ofUsers) {
      users = users * 2 + 1;
    }
  }

  void addQuery() {
    synchronized (ofQueries) {
      queries = queries * 2 + 1;
    }
  }

  void clear() {
    synchronized (ofQueries) {
      users = 0;
    }
  }

  public static void main(String[] arguments) throws Exception {
    SplitLocks server = new SplitLocks();
    Thread one = new Thread(server::addUser);
    Thread two = new Thread(server::addQuery);
    one.start();
    two.start();
    server.clear();
    one.join();
    two.join();
    System.out.println(server.queries);
  }
}
