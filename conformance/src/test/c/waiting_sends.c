/*
 * Which standard sends are complete before their receive is posted: for sizes around each power of two, to the other rank
 * and to the sender itself. Prints "complete BYTES", the largest first.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAG = 7, GO = 8, BYTES_MAX = 1 << 20, TRIES = 20, WAIT_MICROS = 100 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *out = calloc(1, BYTES_MAX), *in = malloc(BYTES_MAX);
  for (int power = BYTES_MAX; power >= 256; power /= 2)
    for (int less = 0; less < power / 2; less = less * 4 + 16)
      for (int to = 0; to < 2; to++) {
        int bytes = power - less, done = 0;
        if (rank == 0) {
          MPI_Request request;
          MPI_Isend(out, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
          for (int i = 0; i < TRIES && !done; i++) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (!done) usleep(WAIT_MICROS);
          }
          if (done) printf("complete %d\n", bytes);
          if (to == 1) MPI_Send(NULL, 0, MPI_BYTE, 1, GO, MPI_COMM_WORLD);
          else MPI_Recv(in, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else if (to == 1) {
          MPI_Recv(NULL, 0, MPI_BYTE, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Recv(in, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
      }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
