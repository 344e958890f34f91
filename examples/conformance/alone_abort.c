/*
 * MPI_Abort in the middle of a race, with exit code 3. The rank that dies tells the hash of what it saw.
 *
 *     mpirun -n 4 alone_abort [rank] [receives]
 */
#include "doomed.h"
#include "report.h"


int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Init(&argc, &argv);
    receive_until_doom(argc, argv, &h);
    report_own_hash("alone_abort", &h);
    MPI_Abort(MPI_COMM_WORLD, 3);
    return 0;
}
