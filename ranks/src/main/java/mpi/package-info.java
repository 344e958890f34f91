/**
 * The programming interface of Java programs, on whatever {@link org.reprise.ranks.fabric.Fabric}
 * the calling rank runs on. It has two dialects side by side: mpiJava 1.2 as MPJ Express has it,
 * whose methods begin with a capital, and that of Open MPI's Java bindings, whose methods do not.
 * Both are thin: the work is done once, in Channel, Collective, Area and Datatype. docs/COVERAGE.md
 * says what each class has and how clashes between the two are resolved.
 */
package mpi;
