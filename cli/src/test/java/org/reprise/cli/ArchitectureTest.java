package org.reprise.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What the compiler does not keep: data flows one way, and names say what a thing is. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.reprise");

  /** Modules whose packages stand above each other. */
  private static final List<String> LAYERED =
      List.of(
          "org.reprise.anomaly.agent",
          "org.reprise.causality",
          "org.reprise.cli",
          "org.reprise.debugger",
          "org.reprise.launch",
          "org.reprise.ranks",
          "org.reprise.trace");

  @Test
  void everyModuleIsLookedAt() {
    assertThat(CLASSES)
        .extracting(JavaClass::getPackageName)
        .contains(
            "org.reprise.cli",
            "org.reprise.analysis",
            "org.reprise.launch",
            "org.reprise.trace",
            "org.reprise.anomaly.agent",
            "org.reprise.anomaly.hooks");
  }

  @Test
  void dependenceRunsFromTheCommandLineToTheTrace() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("cli")
        .definedBy("org.reprise.cli..")
        .layer("analysis")
        .definedBy("org.reprise.analysis..")
        .layer("debugger")
        .definedBy("org.reprise.debugger..")
        .layer("launch")
        .definedBy("org.reprise.launch..")
        .layer("ranks")
        .definedBy("org.reprise.ranks..", "mpi..")
        .layer("trace")
        .definedBy("org.reprise.trace..")
        .layer("causality")
        .definedBy("org.reprise.causality..")
        .layer("exploration")
        .definedBy("org.reprise.exploration..")
        .layer("recovery")
        .definedBy("org.reprise.recovery..")
        .layer("findings")
        .definedBy("org.reprise.findings..")
        .layer("viewer")
        .definedBy("org.reprise.viewer..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("analysis")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("debugger")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("launch")
        .mayOnlyBeAccessedByLayers("cli", "debugger", "analysis")
        .whereLayer("trace")
        .mayOnlyBeAccessedByLayers(
            "cli",
            "debugger",
            "analysis",
            "launch",
            "ranks",
            "causality",
            "exploration",
            "recovery",
            "findings",
            "viewer")
        .whereLayer("causality")
        .mayOnlyBeAccessedByLayers(
            "cli", "debugger", "analysis", "launch", "exploration", "recovery", "viewer")
        .whereLayer("exploration")
        .mayOnlyBeAccessedByLayers("cli", "analysis", "launch")
        .whereLayer("recovery")
        .mayOnlyBeAccessedByLayers("cli", "debugger", "analysis")
        .whereLayer("viewer")
        .mayOnlyBeAccessedByLayers("cli", "analysis")
        .whereLayer("findings")
        .mayOnlyBeAccessedByLayers("cli", "analysis", "viewer")
        .whereLayer("ranks")
        .mayOnlyBeAccessedByLayers("cli", "launch")
        .check(CLASSES);
  }

  @Test
  void packagesOfAModuleDoNotDependOnEachOtherInCircles() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                String name = javaClass.getPackageName();
                return LAYERED.stream().anyMatch(name::startsWith)
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "packages of " + LAYERED;
              }
            })
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  /** Package mpi is the programming interface, whose classes the standard prescribes. */
  @Test
  void aPackageIsOneRoom() {
    Map<String, Long> crowded =
        StreamSupport.stream(CLASSES.spliterator(), false)
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .map(JavaClass::getPackageName)
            .filter(name -> !name.equals("mpi") && !name.startsWith("org.reprise.anomaly.asm"))
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    crowded.values().removeIf(types -> types <= 25);
    assertThat(crowded).as("packages of more than 25 types").isEmpty();
  }

  /**
   * It runs in the user's JVM, beside classes of any version. What it found is all that others know
   * of it.
   */
  @Test
  void theCheckerOfJavaProgramsIsApart() {
    noClasses()
        .that()
        .resideInAPackage("org.reprise.anomaly..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.reprise..").and(not(resideInAPackage("org.reprise.anomaly.."))))
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage("org.reprise.anomaly..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.reprise.anomaly..")
                .and(not(resideInAPackage("org.reprise.anomaly.report.."))))
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("org.reprise.anomaly.report..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.reprise..")
                .and(not(resideInAPackage("org.reprise.anomaly.report.."))))
        .check(CLASSES);
  }

  /** What instruments knows nothing of a run, and which block runs nothing of accesses. */
  @Test
  void theCheckerGoesFromTheAgentToTheHooks() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("agent")
        .definedBy("org.reprise.anomaly.agent")
        .layer("jdk")
        .definedBy("org.reprise.anomaly.agent.jdk..")
        .layer("detect")
        .definedBy("org.reprise.anomaly.agent.detect..")
        .layer("report")
        .definedBy("org.reprise.anomaly.agent.report..")
        .layer("instrument")
        .definedBy("org.reprise.anomaly.agent.instrument..")
        .layer("block")
        .definedBy("org.reprise.anomaly.agent.block..")
        .layer("hooks")
        .definedBy("org.reprise.anomaly.hooks..")
        .whereLayer("agent")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("jdk")
        .mayOnlyBeAccessedByLayers("agent")
        .whereLayer("detect")
        .mayOnlyBeAccessedByLayers("agent", "jdk")
        .whereLayer("report")
        .mayOnlyBeAccessedByLayers("agent", "jdk", "detect")
        .whereLayer("instrument")
        .mayOnlyBeAccessedByLayers("agent", "jdk", "detect", "report")
        .whereLayer("block")
        .mayOnlyBeAccessedByLayers("agent", "jdk", "detect")
        .whereLayer("hooks")
        .mayNotAccessAnyLayer()
        .check(CLASSES);
  }

  @Test
  void theEmbeddedEngineNeedsNoMpi() {
    noClasses()
        .that()
        .resideInAnyPackage("org.reprise.ranks..", "mpi..")
        .and()
        .resideOutsideOfPackage("org.reprise.ranks.libmpi..")
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
