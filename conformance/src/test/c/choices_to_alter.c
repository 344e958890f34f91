/*
 * Rank 0 meets every kind of choice that reprise alter changes, and says what came of it: a probe, a Waitany, an Iprobe that
 * fails before it succeeds, and a Test that succeeds. Delays make the outcome the usual one.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, v, w[2], index, flag = 0;
  MPI_Status s;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s);
    printf("probe saw %d\n", s.MPI_SOURCE);
    MPI_Recv(&v, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD, &s);
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s);
    MPI_Request r[2];
    MPI_Irecv(&w[0], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&w[1], 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Waitany(2, r, &index, &s);
    printf("waitany %d\n", index);
    MPI_Waitany(2, r, &index, &s);
    int polls = 0;
    while (!flag) { MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, &s); polls++; if (!flag) usleep(20000); }
    printf("iprobe %s, saw %d\n", polls == 1 ? "at once" : "later", s.MPI_SOURCE);
    MPI_Recv(&v, 1, MPI_INT, s.MPI_SOURCE, 3, MPI_COMM_WORLD, &s);
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s);
    MPI_Irecv(&w[0], 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &r[0]);
    usleep(100000);
    MPI_Test(&r[0], &flag, &s);
    printf("test %s\n", flag ? "yes" : "no");
    if (!flag) MPI_Wait(&r[0], &s);
  } else {
    if (rank == 2) usleep(30000);
    for (int tag = 1; tag < 5; tag++) { MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); if (tag < 3) usleep(20000); if (tag == 3 && rank == 2) break; }
  }
  MPI_Finalize();
  return 0;
}
