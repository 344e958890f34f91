/*
 * A write through a null pointer in the middle of a race. The rank that dies tells the hash of what it saw.
 *
 *     mpirun -n 4 alone_segv [rank] [receives]
 */
#include "doomed.h"
#include "report.h"

#include <stddef.h>

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Init(&argc, &argv);
    receive_until_doom(argc, argv, &h);
    report_own_hash("alone_segv", &h);
    volatile int *volatile nowhere = NULL; /* or the compiler drops the write */
    *nowhere = 1;
    return 0;
}
