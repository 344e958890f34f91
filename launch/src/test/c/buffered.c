/* Two ranks send to each other before they receive, by send, isend, persistent, exchange or replace. Or they face each other. */
#include <mpi.h>
#include <string.h>

enum { BYTES = 100 };

int main(int argc, char **argv) {
  int rank;
  char out[BYTES] = {0}, in[BYTES];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *how = argv[1];
  int other = 1 - rank;
  if (strcmp(how, "facing") == 0) {
    MPI_Sendrecv(out, BYTES, MPI_CHAR, other, 1, in, BYTES, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, BYTES, MPI_CHAR, other, 1, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return memcmp(out, in, BYTES) != 0;
  }
  if (strcmp(how, "send") == 0) MPI_Send(out, BYTES, MPI_CHAR, other, 1, MPI_COMM_WORLD);
  if (strcmp(how, "isend") == 0) MPI_Isend(out, BYTES, MPI_CHAR, other, 1, MPI_COMM_WORLD, &request);
  if (strcmp(how, "persistent") == 0) {
    MPI_Send_init(out, BYTES, MPI_CHAR, other, 1, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
  }
  if (strcmp(how, "exchange") == 0 || strcmp(how, "replace") == 0) { /* what comes back is the rank's own */
    MPI_Isend(out, 0, MPI_CHAR, rank, 2, MPI_COMM_WORLD, &request);
    if (how[0] == 'e')
      MPI_Sendrecv(out, BYTES, MPI_CHAR, other, 1, in, BYTES, MPI_CHAR, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else MPI_Sendrecv_replace(out, BYTES, MPI_CHAR, other, 1, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (strcmp(how, "send") != 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(in, BYTES, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (strcmp(how, "persistent") == 0) MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
