/**
 * The programming interface of Java programs: mpiJava 1.2 as MPJ Express has it, on whatever {@link
 * org.reprise.ranks.Fabric} the calling rank runs on. Names of classes and methods are those of
 * that interface; docs/COVERAGE.md says what each does here.
 */
package mpi;
