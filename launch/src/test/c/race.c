/*
 * Every rank but 0 sends to rank 0, which receives from any source and prints the order. What else happens is told by
 * the first argument:
 *   (none)   nothing
 *   crash    rank 0 ends itself by SIGSEGV after the last message
 *   deadlock rank 0 waits for a message nobody sends
 *   status   rank 0 reads a number from its standard input and the job exits with it
 *   other    with REPRISE_MODE=replay rank 0 probes where it received before: it diverges
 *   stuck    with REPRISE_MODE=replay the last rank sends nothing and waits for an answer: nobody can go on
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 20 };

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  const char *mode = getenv("REPRISE_MODE");
  int replaying = mode != NULL && strcmp(mode, "replay") == 0;
  int rank, ranks, value = 0, status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0 && strcmp(what, "status") == 0 && scanf("%d", &status) != 1) status = 99;
  if (rank != 0) {
    if (replaying && rank == ranks - 1 && strcmp(what, "stuck") == 0)
      MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < MESSAGES; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    for (int i = 0; i < MESSAGES * (ranks - 1); i++) {
      MPI_Status from;
      if (replaying && i == 5 && strcmp(what, "other") == 0) MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &from);
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &from);
      printf("%d ", from.MPI_SOURCE);
    }
    printf("\n");
    fflush(stdout);
    if (strcmp(what, "crash") == 0) raise(SIGSEGV);
    if (strcmp(what, "deadlock") == 0) MPI_Recv(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
