/*
 * A rank that is killed, by SIGKILL, in the middle of a race: nothing of it runs after that. It tells the hash of what
 * it saw before.
 *
 *     mpirun -n 4 alone_kill [rank] [receives]
 */
#include "doomed.h"
#include "report.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Init(&argc, &argv);
    receive_until_doom(argc, argv, &h);
    report_own_hash("alone_kill", &h);
    kill(getpid(), SIGKILL);
    return 0;
}
