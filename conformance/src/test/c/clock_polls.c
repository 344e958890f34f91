/*
 * Polls clocks as programs do that wait by the clock, and prints a hash of every bit that it read: first one clock in a
 * tight loop, then several in turn, then again with polls of messages between them.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { READINGS = 20000 };

static uint64_t hash = 14695981039346656037u;

static void add(const void *value, size_t bytes)
{
    const unsigned char *p = value;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ p[i]) * 1099511628211u;
}

static void read_wtime(void)
{
    double now = MPI_Wtime();
    add(&now, sizeof now);
}

static void read_others(int i)
{
    struct timespec nanos;
    struct timeval micros;
    time_t seconds;
    clock_t used;
    clock_gettime(i % 2 == 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME, &nanos);
    add(&nanos, sizeof nanos);
    if (i % 3 == 0) {
        gettimeofday(&micros, NULL);
        add(&micros, sizeof micros);
    }
    if (i % 5 == 0) {
        seconds = time(NULL);
        add(&seconds, sizeof seconds);
        used = clock();
        add(&used, sizeof used);
    }
}

/* Where the nanoseconds of the clock are fewer than they were at first, Open MPI makes its double in another way. */
static void reach_next_second(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep((useconds_t)((1000000000 - now.tv_nsec) / 1000));
}

int main(int argc, char **argv)
{
    int flag;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < READINGS; i++)
        read_wtime();
    for (int i = 0; i < READINGS / 10; i++) {
        read_others(i);
        read_wtime();
    }
    reach_next_second();
    for (int i = 0; i < READINGS; i++) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        read_wtime();
        read_wtime();
    }
    printf("clocks = %016llx\n", (unsigned long long)hash);
    MPI_Finalize();
    return 0;
}
