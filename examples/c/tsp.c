/*
 * tsp: the travelling salesman by branch and bound, one master and its workers. The application of Clémençon et al.
 * 1995, section 5.3: nearly all communication of the master is MPI_Iprobe, and nearly every one of them fails.
 *
 * The master owns a stack of tasks, each the beginning of a tour. It polls for messages; whenever a poll fails it
 * searches a little itself. Which tasks the master takes, and with which bound a worker starts, thus depends on the
 * order of messages and on the number of failed polls. The length of the best tour does not; the tour, the number
 * of nodes searched and who searched them do.
 *
 *     mpirun -n 4 tsp [cities] [seed]
 */
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CITIES_MAX = 32, PREFIX = 4, POLL_EVERY = 512 };
enum { TAG_READY = 1, TAG_TOUR, TAG_TASK, TAG_BOUND, TAG_STOP };

/* Also the message of both directions, as an array of ints. */
struct tour {
    int length;
    int cities;
    int city[CITIES_MAX];
};
enum { TOUR_INTS = sizeof(struct tour) / sizeof(int) };

static int cities;
static int distance[CITIES_MAX][CITIES_MAX];
static int nearest[CITIES_MAX]; /* the shortest way out of a city: the lower bound of leaving it */
static struct tour best = {.length = INT_MAX};
static long nodes;

static int root(int64_t square)
{
    int64_t low = 0, high = 1 << 20;
    while (low + 1 < high) {
        int64_t middle = (low + high) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle;
    }
    return (int)low;
}

static void place_cities(uint32_t seed)
{
    int64_t x[CITIES_MAX], y[CITIES_MAX];
    for (int i = 0; i < cities; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = seed >> 16 & 0x3fff;
        seed = seed * 1664525u + 1013904223u;
        y[i] = seed >> 16 & 0x3fff;
    }
    for (int i = 0; i < cities; i++) {
        nearest[i] = INT_MAX;
        for (int j = 0; j < cities; j++) {
            distance[i][j] = root((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]));
            if (i != j && distance[i][j] < nearest[i])
                nearest[i] = distance[i][j];
        }
    }
}

/* Called now and then from the depth of a search: a chance to hear of a better bound. */
typedef void poll_function(void);

static int has(const struct tour *tour, int city)
{
    for (int i = 0; i < tour->cities; i++)
        if (tour->city[i] == city)
            return 1;
    return 0;
}

/* Extends the tour in every way, down to `depth` cities; calls `found` on those that reach it within the bound. */
static void search(struct tour *tour, int bound_left, int depth, void (*found)(const struct tour *),
                   poll_function *poll)
{
    if (poll && ++nodes % POLL_EVERY == 0)
        poll();
    if (tour->cities == depth) {
        found(tour);
        return;
    }
    int last = tour->city[tour->cities - 1];
    for (int city = 1; city < cities; city++) {
        if (has(tour, city))
            continue;
        int step = distance[last][city];
        if (tour->length + step + bound_left - nearest[last] >= best.length)
            continue;
        tour->city[tour->cities++] = city;
        tour->length += step;
        search(tour, bound_left - nearest[last], depth, found, poll);
        tour->length -= step;
        tour->cities--;
    }
}

/* What every city not yet left costs at least. */
static int least_remaining(const struct tour *tour)
{
    int sum = 0;
    for (int i = 0; i < cities; i++)
        sum += nearest[i];
    for (int i = 0; i + 1 < tour->cities; i++)
        sum -= nearest[tour->city[i]];
    return sum;
}

static int closed_length(const struct tour *tour)
{
    return tour->length + distance[tour->city[tour->cities - 1]][tour->city[0]];
}

/* ---- the worker ---- */

static void hear_bounds(void)
{
    int there;
    MPI_Iprobe(0, TAG_BOUND, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (!there)
        return;
    int bound;
    MPI_Recv(&bound, 1, MPI_INT, 0, TAG_BOUND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bound < best.length)
        best.length = bound;
}

static void report_tour(const struct tour *tour)
{
    if (closed_length(tour) >= best.length)
        return;
    best = *tour;
    best.length = closed_length(tour);
    MPI_Send(&best, TOUR_INTS, MPI_INT, 0, TAG_TOUR, MPI_COMM_WORLD);
}

static void worker(void)
{
    for (;;) {
        struct tour task;
        MPI_Status status;
        MPI_Send(NULL, 0, MPI_INT, 0, TAG_READY, MPI_COMM_WORLD);
        for (;;) {
            MPI_Recv(&task, TOUR_INTS, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG != TAG_BOUND)
                break;
            if (task.length < best.length) /* a bound is a message of one int */
                best.length = task.length;
        }
        if (status.MPI_TAG == TAG_STOP)
            return;
        search(&task, least_remaining(&task), cities, report_tour, hear_bounds);
    }
}

/* ---- the master ---- */

static struct tour *tasks;
static int tasks_left, tasks_room, workers_left;
static long polls, failed_polls, bounds_sent, own_tasks;

static void add_task(const struct tour *tour)
{
    if (tasks_left == tasks_room) {
        tasks_room = tasks_room ? 2 * tasks_room : 256;
        tasks = realloc(tasks, (size_t)tasks_room * sizeof *tasks);
        if (!tasks)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    tasks[tasks_left++] = *tour;
}

static void adopt(const struct tour *tour, int finder)
{
    int size;
    if (tour->length >= best.length)
        return;
    best = *tour;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int worker_rank = 1; worker_rank < size; worker_rank++) {
        if (worker_rank == finder)
            continue;
        MPI_Send(&best.length, 1, MPI_INT, worker_rank, TAG_BOUND, MPI_COMM_WORLD);
        bounds_sent++;
    }
}

static void adopt_own(const struct tour *tour)
{
    struct tour closed = *tour;
    closed.length = closed_length(tour);
    adopt(&closed, 0);
}

/* The next task that can still beat the best tour, or null. */
static struct tour *next_task(void)
{
    while (tasks_left > 0) {
        struct tour *task = &tasks[--tasks_left];
        if (task->length + least_remaining(task) < best.length)
            return task;
    }
    return NULL;
}

static void answer(const MPI_Status *message)
{
    struct tour tour;
    MPI_Recv(&tour, TOUR_INTS, MPI_INT, message->MPI_SOURCE, message->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (message->MPI_TAG == TAG_TOUR) {
        adopt(&tour, message->MPI_SOURCE);
        return;
    }
    struct tour *task = next_task();
    if (task) {
        MPI_Send(task, TOUR_INTS, MPI_INT, message->MPI_SOURCE, TAG_TASK, MPI_COMM_WORLD);
    } else {
        MPI_Send(NULL, 0, MPI_INT, message->MPI_SOURCE, TAG_STOP, MPI_COMM_WORLD);
        workers_left--;
    }
}

static int poll_workers(void)
{
    int there;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    polls++;
    if (there)
        answer(&status);
    else
        failed_polls++;
    return there;
}

static void poll_workers_in_search(void)
{
    poll_workers();
}

/* After this many polls in a row have failed, the master searches a task itself. */
static void master(int size)
{
    const int patience = 50;
    struct tour start = {.length = 0, .cities = 1, .city = {0}};
    int failed_in_a_row = 0;

    search(&start, least_remaining(&start), cities < PREFIX ? cities : PREFIX, add_task, NULL);
    workers_left = size - 1;
    while (workers_left > 0) {
        failed_in_a_row = poll_workers() ? 0 : failed_in_a_row + 1;
        if (failed_in_a_row < patience)
            continue;
        failed_in_a_row = 0;
        struct tour *task = next_task();
        if (task) {
            struct tour own = *task;
            own_tasks++;
            search(&own, least_remaining(&own), cities, adopt_own, poll_workers_in_search);
        }
    }
    if (size == 1)
        for (struct tour *task; (task = next_task());)
            search(task, least_remaining(task), cities, adopt_own, NULL);

    printf("best tour = %d:", best.length);
    for (int i = 0; i < cities; i++)
        printf(" %d", best.city[i]);
    printf("\npolls = %ld, failed = %ld, bounds sent = %ld, tasks searched by the master = %ld\n", polls,
           failed_polls, bounds_sent, own_tasks);
    free(tasks);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    cities = argc > 1 ? atoi(argv[1]) : 17;
    if (cities < 3 || cities > CITIES_MAX) {
        if (rank == 0)
            fprintf(stderr, "tsp: 3 to %d cities, not %s\n", CITIES_MAX, argv[1]);
        MPI_Finalize();
        return 2;
    }
    place_cities(argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1995u);
    memset(best.city, 0, sizeof best.city);

    if (rank == 0)
        master(size);
    else
        worker();

    MPI_Finalize();
    return 0;
}
