/*
 * conformance: runs scenarios, each about one nondeterministic call or one special case of it, and prints for each a
 * hash of the order that all ranks saw.
 *
 *     mpirun -n 4 conformance [--each-rank] [--times] [scenario...]
 *     conformance --list
 *
 * Without names it runs all. Each scenario has a communicator of its own, a copy of MPI_COMM_WORLD. Output: one line
 * `name hash` per scenario; with --each-rank also `name/rank hash`, to see which rank differs; with --times the
 * seconds each scenario took, on standard error.
 */
#include "scenario.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scenario {
    const char *name;
    const char *varies;
    int from_ranks;
    const char *point;
    void (*run)(MPI_Comm comm, struct hash *h);
};

#define SCENARIO(name, varies, from_ranks, point) {#name, #varies, from_ranks, point, scenario_##name},
static const struct scenario scenarios[] = {
#include "scenarios.h"
};
enum { SCENARIO_COUNT = sizeof scenarios / sizeof scenarios[0] };

static bool each_rank, times;

static void print_hashes(const char *name, const struct hash *h)
{
    int size = size_of(MPI_COMM_WORLD);
    uint64_t *of_rank = malloc((size_t)size * sizeof *of_rank);
    MPI_Gather(&h->value, 1, MPI_UINT64_T, of_rank, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) {
        struct hash all = hash_start();
        for (int rank = 0; rank < size; rank++)
            hash_int(&all, (int64_t)of_rank[rank]);
        printf("%s %016" PRIx64 "\n", name, all.value);
        for (int rank = 0; each_rank && rank < size; rank++)
            printf("%s/%d %016" PRIx64 "\n", name, rank, of_rank[rank]);
        fflush(stdout);
    }
    free(of_rank);
}

static void run(const struct scenario *scenario)
{
    MPI_Comm comm;
    struct hash h = hash_start();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    double start = times ? MPI_Wtime() : 0.0;
    scenario->run(comm, &h);
    MPI_Barrier(comm);
    if (times && rank_in(comm) == 0)
        fprintf(stderr, "%s took %.3f s\n", scenario->name, MPI_Wtime() - start);
    MPI_Comm_free(&comm);
    print_hashes(scenario->name, &h);
}

static const struct scenario *find(const char *name)
{
    for (int i = 0; i < SCENARIO_COUNT; i++)
        if (strcmp(scenarios[i].name, name) == 0)
            return &scenarios[i];
    return NULL;
}

static int list(void)
{
    for (int i = 0; i < SCENARIO_COUNT; i++)
        printf("%-28s %-6s %d  %s\n", scenarios[i].name, scenarios[i].varies, scenarios[i].from_ranks,
               scenarios[i].point);
    return 0;
}

int main(int argc, char **argv)
{
    bool named = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            return list();
        if (strcmp(argv[i], "--each-rank") == 0)
            each_rank = true;
        else if (strcmp(argv[i], "--times") == 0)
            times = true;
        else if (find(argv[i]))
            named = true;
        else {
            fprintf(stderr, "conformance: no scenario is called \"%s\"; conformance --list names them\n", argv[i]);
            return 2;
        }
    }
    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (find(argv[i]))
            run(find(argv[i]));
    for (int i = 0; !named && i < SCENARIO_COUNT; i++)
        run(&scenarios[i]);
    MPI_Finalize();
    return 0;
}
