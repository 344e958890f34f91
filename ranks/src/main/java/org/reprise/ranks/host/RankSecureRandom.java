package org.reprise.ranks.host;

import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;

/**
 * What program classes make in place of a {@link SecureRandom}: its bytes are inputs of the rank.
 */
public class RankSecureRandom extends SecureRandom {
  public RankSecureRandom() {
    super(new Source(), new Origin());
  }

  /** A seed adds to what a secure source has; it does not replace it. */
  public RankSecureRandom(byte[] seed) {
    this();
    setSeed(seed);
  }

  @Override
  public String getAlgorithm() {
    return "reprise";
  }

  private static final class Origin extends Provider {
    Origin() {
      super("reprise", "1", "random bytes that are inputs of a rank");
    }
  }

  private static final class Source extends SecureRandomSpi {
    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      RankHome.currentInputs().randomBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] seed = new byte[count];
      engineNextBytes(seed);
      return seed;
    }
  }
}
