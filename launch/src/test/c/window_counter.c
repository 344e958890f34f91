/* Each rank draws a number from a counter that is in a window: who is first is not a matter of messages. */
#include <mpi.h>

int main(int argc, char **argv) {
  int *counter, one = 1, drawn;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
  *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, window);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
