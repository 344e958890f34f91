/*
 * Ranks that start other processes between their receives: a fork whose child ends at once, without MPI, and a shell
 * command.
 *
 *     mpirun -n 4 alone_fork
 */
#include "note.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int fork_and_wait(int code)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(code);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("alone_fork: fork");
        return -1;
    }
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    MPI_Init(&argc, &argv);
    race_to_zero(MPI_COMM_WORLD, &h);
    hash_int(&h, fork_and_wait(5));
    race_to_zero(MPI_COMM_WORLD, &h);
    int status = system("exit 3");
    hash_int(&h, WEXITSTATUS(status));
    race_to_zero(MPI_COMM_WORLD, &h);
    report_hash("alone_fork", &h, false);
    MPI_Finalize();
    return 0;
}
