package org.reprise.anomaly.agent.detect.history;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the detector knows of objects that have no room for it: by identity, without keeping them
 * alive, for many threads at once. The last resort; who can, remembers the value elsewhere.
 */
public final class IdentityTable<K, V> {
  private static final int STRIPES = 64;

  private final Stripe<K, V>[] stripes = newStripes();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <K, V> Stripe<K, V>[] newStripes() {
    Stripe<K, V>[] stripes = new Stripe[STRIPES];
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe<>();
    }
    return stripes;
  }

  public @Nullable V get(K key) {
    int hash = System.identityHashCode(key);
    Stripe<K, V> stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.get(key, hash);
    }
  }

  /** The value for the key, made where there is none yet. */
  public V get(K key, Function<? super K, ? extends V> make) {
    int hash = System.identityHashCode(key);
    Stripe<K, V> stripe = stripe(hash);
    synchronized (stripe) {
      V value = stripe.get(key, hash);
      if (value == null) {
        value = make.apply(key);
        stripe.put(key, hash, value);
      }
      return value;
    }
  }

  public void put(K key, V value) {
    int hash = System.identityHashCode(key);
    Stripe<K, V> stripe = stripe(hash);
    synchronized (stripe) {
      stripe.remove(key, hash);
      stripe.put(key, hash, value);
    }
  }

  public @Nullable V remove(K key) {
    int hash = System.identityHashCode(key);
    Stripe<K, V> stripe = stripe(hash);
    synchronized (stripe) {
      return stripe.remove(key, hash);
    }
  }

  private Stripe<K, V> stripe(int hash) {
    return stripes[(hash ^ (hash >>> 8)) & (STRIPES - 1)];
  }

  private static final class Entry<K, V> extends WeakReference<K> {
    private final int hash;
    private final V value;
    private @Nullable Entry<K, V> next;

    Entry(K key, ReferenceQueue<K> queue, int hash, V value) {
      super(key, queue);
      this.hash = hash;
      this.value = value;
    }
  }

  private static final class Stripe<K, V> {
    private final ReferenceQueue<K> dead = new ReferenceQueue<>();
    private @Nullable Entry<K, V>[] buckets = newBuckets(16);
    private int size;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K, V> @Nullable Entry<K, V>[] newBuckets(int length) {
      return new Entry[length];
    }

    @Nullable V get(K key, int hash) {
      for (Entry<K, V> e = buckets[index(hash)]; e != null; e = e.next) {
        if (e.hash == hash && e.refersTo(key)) {
          return e.value;
        }
      }
      return null;
    }

    void put(K key, int hash, V value) {
      purge();
      if (size > buckets.length) {
        grow();
      }
      Entry<K, V> entry = new Entry<>(key, dead, hash, value);
      entry.next = buckets[index(hash)];
      buckets[index(hash)] = entry;
      size++;
    }

    @Nullable V remove(K key, int hash) {
      Entry<K, V> previous = null;
      for (Entry<K, V> e = buckets[index(hash)]; e != null; previous = e, e = e.next) {
        if (e.hash == hash && e.refersTo(key)) {
          unlink(e, previous);
          return e.value;
        }
      }
      return null;
    }

    private void purge() {
      for (Reference<? extends K> r = dead.poll(); r != null; r = dead.poll()) {
        Entry<K, V> previous = null;
        int hash = ((Entry<?, ?>) r).hash;
        for (Entry<K, V> e = buckets[index(hash)]; e != null; previous = e, e = e.next) {
          if (e == r) {
            unlink(e, previous);
            break;
          }
        }
      }
    }

    private void unlink(Entry<K, V> entry, @Nullable Entry<K, V> previous) {
      if (previous == null) {
        buckets[index(entry.hash)] = entry.next;
      } else {
        previous.next = entry.next;
      }
      size--;
    }

    private void grow() {
      Entry<K, V>[] old = buckets;
      buckets = newBuckets(old.length * 2);
      for (Entry<K, V> bucket : old) {
        Entry<K, V> e = bucket;
        while (e != null) {
          Entry<K, V> next = e.next;
          e.next = buckets[index(e.hash)];
          buckets[index(e.hash)] = e;
          e = next;
        }
      }
    }

    private int index(int hash) {
      return (hash * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(buckets.length));
    }
  }
}
