package org.reprise.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The MPI that a test runs on: one of them, drawn for each test by a seed that is printed. {@code
 * -Dreprise.mpis=2} takes both, as bench/conformance does.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(DrawnMpi.Draw.class)
@interface DrawnMpi {
  /** Draws it. */
  final class Draw implements ArgumentsProvider {
    private static final long SEED = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
    private static final boolean BOTH =
        Integer.getInteger("reprise.mpis", 1) >= Mpi.values().length;

    static {
      if (!BOTH) {
        System.out.println("an MPI for each test, drawn with -Dreprise.seed=" + SEED);
      }
    }

    Draw() {}

    /** Those of what has this name: of a test, or of one of its cases. */
    static List<Mpi> of(String name) {
      List<Mpi> all = List.of(Mpi.values());
      SplittableRandom random = new SplittableRandom(SEED ^ name.hashCode());
      return BOTH ? all : List.of(all.get(random.nextInt(all.size())));
    }

    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext test) {
      return of(test.getRequiredTestMethod().toString()).stream().map(Arguments::of);
    }
  }
}
