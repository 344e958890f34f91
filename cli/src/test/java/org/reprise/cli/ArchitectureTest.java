package org.reprise.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the compiler does not keep: data flows one way, and names say what a thing is. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.reprise");

  @Test
  void everyModuleIsLookedAt() {
    assertThat(CLASSES)
        .extracting(JavaClass::getPackageName)
        .contains("org.reprise.cli", "org.reprise.launch", "org.reprise.trace");
  }

  @Test
  void dependenceRunsFromTheCommandLineToTheTrace() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("cli")
        .definedBy("org.reprise.cli..")
        .layer("launch")
        .definedBy("org.reprise.launch..")
        .layer("ranks")
        .definedBy("org.reprise.ranks..", "mpi..")
        .layer("trace")
        .definedBy("org.reprise.trace..")
        .layer("causality")
        .definedBy("org.reprise.causality..")
        .layer("findings")
        .definedBy("org.reprise.findings..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("launch")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("trace")
        .mayOnlyBeAccessedByLayers("cli", "launch", "ranks", "causality", "findings")
        .whereLayer("causality")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("findings")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("ranks")
        .mayOnlyBeAccessedByLayers("cli", "launch")
        .check(CLASSES);
  }

  @Test
  void theEmbeddedEngineNeedsNoMpi() {
    noClasses()
        .that()
        .resideInAnyPackage("org.reprise.ranks", "org.reprise.ranks.host..", "mpi..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.reprise.ranks.libmpi..")
        .because("it runs where no MPI is installed")
        .check(CLASSES);
  }

  @Test
  void thereIsOneMain() {
    methods()
        .that()
        .haveName("main")
        .should()
        .beDeclaredIn(Reprise.class)
        .because("everything is reached through ./reprise")
        .check(CLASSES);
  }

  @Test
  void noNameIsAWordThatSaysNothing() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.reprise.anomaly.asm..") // somebody else's, in our jar
        .should()
        .haveNameMatching(".*(Manager|Helper|Util|Utils|Impl|Data|Info)")
        .because("a name says what the thing is")
        .check(CLASSES);
  }
}
