/*
 * Messages with gaps of more than 2 GB, which no int counts the bytes of: sent, and exchanged by MPI_Sendrecv_replace. Recorded
 * and replayed, each rank prints a sum of what it got. Two ranks with 2.4 GB each, and as much again for a copy in a replay:
 * for machines with 11 GB to spare, so not part of ./verify.
 *   reprise record mpirun -n 2 ./huge_vector && reprise replay
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 2200, BLOCK = 1 << 20, STRIDE = BLOCK + (BLOCK >> 4) };

static long sum(const signed char *bytes) {
  long sum = 0;
  for (size_t i = 0; i < BLOCKS; i++) sum += bytes[i * STRIDE] + bytes[i * STRIDE + BLOCK - 1];
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  signed char *bytes = calloc(BLOCKS, STRIDE);
  if (bytes == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Datatype gaps;
  MPI_Type_vector(BLOCKS, BLOCK, STRIDE, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  if (rank == 0) {
    for (size_t i = 0; i < BLOCKS; i++) bytes[i * STRIDE] = (signed char)i;
    MPI_Send(bytes, 1, gaps, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(bytes, 1, gaps, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank 1: received, sum %ld\n", sum(bytes));
  }
  for (size_t i = 0; i < BLOCKS; i++) bytes[i * STRIDE + BLOCK - 1] = (signed char)(rank == 0 ? 1 : i * 7);
  MPI_Sendrecv_replace(bytes, 1, gaps, 1 - rank, 1, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d: exchanged, sum %ld\n", rank, sum(bytes));
  MPI_Type_free(&gaps);
  free(bytes);
  MPI_Finalize();
  return 0;
}
