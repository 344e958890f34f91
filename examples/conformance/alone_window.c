/*
 * One-sided: the ranks draw tickets from a counter in rank 0's window. Which rank draws which number is a race that no
 * receive shows.
 *
 *     mpirun -n 4 alone_window
 */
#include "note.h"
#include "report.h"

enum { TICKETS = 20 };

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    int counter = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < TICKETS; i++) {
        int one = 1, ticket;
        jitter();
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_unlock(0, window);
        hash_int(&h, ticket);
    }
    MPI_Win_free(&window);
    report_hash("alone_window", &h, false);
    MPI_Finalize();
    return 0;
}
