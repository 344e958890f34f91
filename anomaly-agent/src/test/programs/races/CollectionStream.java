// expect: anomaly CollectionStream.Account.balance WRITE-WRITE
// expect: anomaly CollectionStream.Account.balance WRITE-READ
import java.util.ArrayList;
import java.util.List;

/** Elements of a list that are one object twice. */
final class CollectionStream {
  static final class Account {
    int balance;
  }

  public static void main(String[] arguments) throws Exception {
    Account shared = new Account();
    List<Account> accounts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      accounts.add(i % 10 == 0 ? shared : new Account());
    }
    accounts.parallelStream().forEach(account -> account.balance += 5);
  }
}
