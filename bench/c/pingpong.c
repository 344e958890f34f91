/* Two ranks send a message to and fro; prints for each size the best time one way, in microseconds. As PingPong.java. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const int sizes[] = {8, 1024, 65536, 1048576};

static double once(char *buffer, int bytes, int rounds, int rank) {
  double start = MPI_Wtime();
  for (int i = 0; i < rounds; i++) {
    if (rank == 0) {
      MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  return (MPI_Wtime() - start) / rounds / 2;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int blocks = argc > 1 ? atoi(argv[1]) : 20;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    char *buffer = calloc(1, sizes[s]);
    int rounds = sizes[s] > 1024 ? 20 : 500;
    double best = 1e9;
    for (int block = 0; block < blocks; block++) {
      double seconds = once(buffer, sizes[s], rounds, rank);
      if (seconds < best) best = seconds;
    }
    if (rank == 0) printf("%d %.3f\n", sizes[s], best * 1e6);
    free(buffer);
  }
  MPI_Finalize();
}
