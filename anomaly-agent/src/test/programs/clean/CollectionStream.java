// expect: validated
import java.util.ArrayList;
import java.util.List;

final class CollectionStream {
  static final class Account {
    int balance;
  }

  public static void main(String[] arguments) throws Exception {
    List<Account> accounts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      accounts.add(new Account());
    }
    accounts.parallelStream().forEach(account -> account.balance += 5);
  }
}
