/** Programs as users write them: no package of MPI's or of Reprise's. */
package programs;
