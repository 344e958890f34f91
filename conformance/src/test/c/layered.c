/* Calls MPI through a layer of its own: all receives have one line there. They race where the layer is called. */
#include <mpi.h>
#include <stdio.h>

__attribute__((noinline)) int stub_MPI_Recv(int *value, int source) {
  int code = MPI_Recv(value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return code + 0 * *value;
}

__attribute__((noinline)) int stub_MPI_Send(int *value, int dest) {
  int code = MPI_Send(value, 1, MPI_INT, dest, 0, MPI_COMM_WORLD);
  return code + 0 * *value;
}

static void send_twice(int rank) {
  stub_MPI_Send(&rank, 0);
  stub_MPI_Send(&rank, 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    stub_MPI_Recv(&value, MPI_ANY_SOURCE);
    sum += value;
    stub_MPI_Recv(&value, MPI_ANY_SOURCE);
    sum += value;
    for (int i = 0; i < 2; i++) stub_MPI_Recv(&value, MPI_ANY_SOURCE);
    printf("%d\n", sum);
  } else {
    send_twice(rank);
  }
  MPI_Finalize();
  return 0;
}
