/*
 * MPI_THREAD_MULTIPLE is asked for, as many libraries do to be safe, and only one thread ever calls MPI.
 *
 *     mpirun -n 4 alone_threads_requested
 */
#include "note.h"
#include "report.h"

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    hash_int(&h, provided);
    race_to_zero(MPI_COMM_WORLD, &h);
    report_hash("alone_threads_requested", &h, false);
    MPI_Finalize();
    return 0;
}
