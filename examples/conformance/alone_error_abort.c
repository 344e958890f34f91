/*
 * MPI_Abort in an error handler of the program's own, in the middle of a race, with exit code 4. The rank that dies tells
 * the hash of what it saw.
 *
 *     mpirun -n 4 alone_error_abort [rank] [receives]
 */
#include "doomed.h"
#include "report.h"

static struct hash seen;

static void give_up(MPI_Comm *comm, int *code, ...)
{
    hash_error(&seen, *code);
    report_own_hash("alone_error_abort", &seen);
    MPI_Abort(*comm, 4);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    int nothing = 0;
    seen = hash_start();
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(give_up, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    receive_until_doom(argc, argv, &seen);
    MPI_Send(&nothing, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD); /* there is no such rank */
    return 0;
}
