// expect: lock-ordered MonitorAccounts.accounts[*]
// expect: not validated

/** Money goes from one account to another under one lock. */
final class MonitorAccounts {
  private final int[] accounts = {100, 100};

  synchronized void transfer(int from, int to, int amount) {
    if (accounts[from] >= amount) {
      accounts[from] -= amount;
      accounts[to] += amount;
    }
  }

  synchronized int balance(int account) {
    return accounts[account];
  }

  public static void main(String[] arguments) throws Exception {
    MonitorAccounts bank = new MonitorAccounts();
    Thread other = new Thread(() -> bank.transfer(0, 1, 30));
    other.start();
    int seen = bank.balance(1);
    other.join();
    System.out.println(bank.balance(0) + Math.min(seen, 0));
  }
}
