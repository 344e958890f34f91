/*
 * A message with gaps of more than 2 GB, which no int counts the bytes of: recorded and replayed, rank 1 prints a sum of it.
 * Two ranks with 4.6 GB each: for machines with 10 GB to spare, so not part of ./verify.
 *   reprise record mpirun -n 2 ./huge_vector && reprise replay
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int blocks = 2200, block = 1 << 20, stride = 2 << 20;
  char *bytes = malloc((size_t)blocks * (size_t)stride);
  if (bytes == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < blocks; i++) bytes[(size_t)i * (size_t)stride] = (char)(rank == 0 ? i : 0);
  MPI_Datatype gaps;
  MPI_Type_vector(blocks, block, stride, MPI_BYTE, &gaps);
  MPI_Type_commit(&gaps);
  if (rank == 0) MPI_Send(bytes, 1, gaps, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    long sum = 0;
    MPI_Recv(bytes, 1, gaps, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < blocks; i++) sum += bytes[(size_t)i * (size_t)stride];
    printf("sum = %ld\n", sum);
  }
  MPI_Type_free(&gaps);
  free(bytes);
  MPI_Finalize();
  return 0;
}
