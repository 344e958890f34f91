/*
 * seeded: no message races, and yet no two runs are alike. Every rank draws numbers from a generator seeded with the
 * time and its process id, from the kernel (getrandom, /dev/urandom), and measures time with four clocks.
 *
 *     mpirun -n 4 seeded
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TAG_REPORT = 1, REPORT_MAX = 1024 };

static uint64_t from_getrandom(void)
{
    uint64_t value = 0;
    if (getrandom(&value, sizeof value, 0) != sizeof value)
        perror("seeded: getrandom");
    return value;
}

static uint64_t from_urandom(void)
{
    uint64_t value = 0;
    FILE *file = fopen("/dev/urandom", "rb");
    if (!file || fread(&value, sizeof value, 1, file) != 1)
        perror("seeded: /dev/urandom");
    if (file)
        fclose(file);
    return value;
}

static double seconds_of_day(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + (double)now.tv_usec * 1e-6;
}

static double monotonic_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The area of a quarter of the unit circle, by throwing darts. */
static double throw_darts(int darts)
{
    int inside = 0;
    for (int i = 0; i < darts; i++) {
        double x = rand() / (double)RAND_MAX, y = rand() / (double)RAND_MAX;
        inside += x * x + y * y <= 1.0;
    }
    return 4.0 * inside / darts;
}

static void report(char *text, int rank)
{
    double wall = MPI_Wtime(), day = seconds_of_day(), monotonic = monotonic_seconds();
    time_t now = time(NULL);
    pid_t pid = getpid();

    srand((unsigned)now ^ (unsigned)pid << 8);
    double pi = throw_darts(100000);

    int used = snprintf(text, REPORT_MAX, "rank %d: time = %ld, pid = %ld, pi = %.6f, rand = %d\n", rank, (long)now,
                        (long)pid, pi, rand());
    used += snprintf(text + used, (size_t)(REPORT_MAX - used), "rank %d: getrandom = %016llx, urandom = %016llx\n",
                     rank, (unsigned long long)from_getrandom(), (unsigned long long)from_urandom());
    snprintf(text + used, (size_t)(REPORT_MAX - used),
             "rank %d: elapsed by MPI_Wtime = %.9f, gettimeofday = %.6f, clock_gettime = %.9f\n", rank,
             MPI_Wtime() - wall, seconds_of_day() - day, monotonic_seconds() - monotonic);
}

int main(int argc, char **argv)
{
    int rank, size;
    char text[REPORT_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    report(text, rank);
    if (rank != 0) {
        MPI_Send(text, (int)strlen(text) + 1, MPI_CHAR, 0, TAG_REPORT, MPI_COMM_WORLD);
    } else {
        fputs(text, stdout);
        for (int peer = 1; peer < size; peer++) {
            MPI_Recv(text, REPORT_MAX, MPI_CHAR, peer, TAG_REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            fputs(text, stdout);
        }
    }
    MPI_Finalize();
    return 0;
}
