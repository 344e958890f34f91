/*
 * conformance: runs scenarios, each about one nondeterministic call or one special case of it, and prints for each a
 * hash of the order that all ranks saw.
 *
 *     mpirun -n 4 conformance [--each-rank] [--times] [scenario...]
 *     conformance --list
 *     conformance --list-alone
 *
 * Without names it runs all. Each scenario has a communicator of its own, a copy of MPI_COMM_WORLD. Output: one line
 * `name hash` per scenario; with --each-rank also `name/rank hash`, to see which rank differs; with --times the
 * seconds each scenario took, on standard error. The lists say of each scenario, and of each of the programs alone_*
 * that need a process of their own, whether it races and from how many ranks on (see scenarios.h).
 */
#include "report.h"
#include "scenario.h"

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

struct alone {
    const char *program;
    const char *varies;
    int from_ranks;
    const char *ends;
    const char *point;
};

#define ALONE(name, varies, from_ranks, ends, point) {"alone_" #name, #varies, from_ranks, #ends, point},
static const struct alone programs[] = {
#include "scenarios.h"
};
enum { PROGRAM_COUNT = sizeof programs / sizeof programs[0] };
enum { SCENARIO_COUNT = sizeof scenarios / sizeof scenarios[0] };

static bool each_rank, times;

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
    report_hash(scenario->name, &h, each_rank);
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

static int list_alone(void)
{
    for (int i = 0; i < PROGRAM_COUNT; i++)
        printf("%-28s %-6s %d %-6s %s\n", programs[i].program, programs[i].varies, programs[i].from_ranks,
               programs[i].ends, programs[i].point);
    return 0;
}

int main(int argc, char **argv)
{
    bool named = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            return list();
        if (strcmp(argv[i], "--list-alone") == 0)
            return list_alone();
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
    if (size_of(MPI_COMM_WORLD) < 2) {
        fprintf(stderr, "conformance: one rank has nobody to race with; start at least 2, as in mpirun -n 4\n");
        MPI_Finalize();
        return 2;
    }
    for (int i = 1; i < argc; i++)
        if (find(argv[i]))
            run(find(argv[i]));
    for (int i = 0; !named && i < SCENARIO_COUNT; i++)
        run(&scenarios[i]);
    MPI_Finalize();
    return 0;
}
