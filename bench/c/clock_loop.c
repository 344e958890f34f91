/*
 * clock_loop: reads clocks and does nothing else. A benchmark of inputs: in a replay the clocks give back what was
 * recorded, so the time of the loop itself is the processor time that the kernel charges.
 *
 *     mpirun -n 1 clock_loop wtime|clock [reads]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double processor_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int wtime = argc < 2 || strcmp(argv[1], "clock") != 0;
    long reads = argc > 2 ? atol(argv[2]) : 1000000;
    volatile double sum = 0;

    double start = processor_seconds();
    for (long i = 0; i < reads; i++) {
        if (wtime) {
            sum += MPI_Wtime();
        } else {
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            sum += (double)now.tv_nsec;
        }
    }
    printf("elapsed = %.6f\n", processor_seconds() - start);
    MPI_Finalize();
    return 0;
}
