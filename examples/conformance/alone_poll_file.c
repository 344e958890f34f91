/*
 * Rank 0 polls for a message that never comes until a file is there: how often comes from outside and is another
 * number in every run, also in a replayed one. The hash therefore leaves it out; standard error tells it. Then an
 * ordinary race.
 *
 *     mpirun -n 4 alone_poll_file [path]
 *
 * Without a path, the last rank makes the file after some milliseconds, below $TMPDIR, and rank 0 removes it.
 */
#include "note.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 1024, NEVER_SENT = 1 };

static void name_file(char path[PATH], int argc, char **argv)
{
    const char *directory = getenv("TMPDIR");
    if (argc > 1)
        snprintf(path, PATH, "%s", argv[1]);
    else
        snprintf(path, PATH, "%s/alone-poll-file-%ld", directory && *directory ? directory : "/tmp", (long)getpid());
    MPI_Bcast(path, PATH, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void make_file_later(const char *path)
{
    struct timespec pause = {.tv_sec = 0, .tv_nsec = 5000000};
    nanosleep(&pause, NULL);
    FILE *file = fopen(path, "w");
    if (file)
        fclose(file);
    else
        perror(path);
}

static long poll_until_there(const char *path)
{
    long polls = 0;
    while (access(path, F_OK) != 0) {
        int there;
        MPI_Iprobe(MPI_ANY_SOURCE, NEVER_SENT, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        polls++;
    }
    return polls;
}

int main(int argc, char **argv)
{
    struct hash h = hash_start();
    char path[PATH];
    MPI_Init(&argc, &argv);
    int rank = rank_in(MPI_COMM_WORLD), last = size_of(MPI_COMM_WORLD) - 1;
    name_file(path, argc, argv);
    if (argc <= 1 && rank == last)
        make_file_later(path);
    if (rank == 0) {
        fprintf(stderr, "polls = %ld\n", poll_until_there(path));
        if (argc <= 1)
            unlink(path);
    }
    race_to_zero(MPI_COMM_WORLD, &h);
    report_hash("alone_poll_file", &h, false);
    MPI_Finalize();
    return 0;
}
