#include "scenario.h"

/* Communicators made of one that has two sides: a copy, one in reverse order, and one without the last of a side. */
void scenario_intercomm_dup(MPI_Comm comm, struct hash *h)
{
    enum { COPIED, REVERSED, FEWER, MADE };
    MPI_Comm between = between_halves(comm), made[MADE];
    MPI_Group side, fewer;
    int last = size_of(between) - 1;
    MPI_Comm_dup(between, &made[COPIED]);
    MPI_Comm_split(between, 0, -rank_in(comm), &made[REVERSED]);
    MPI_Comm_group(between, &side);
    MPI_Group_excl(side, last > 0, &last, &fewer);
    MPI_Comm_create(between, fewer, &made[FEWER]);
    for (int i = 0; i < MADE; i++) {
        if (made[i] == MPI_COMM_NULL)
            continue;
        race_across(made[i], h);
        MPI_Comm_free(&made[i]);
    }
    MPI_Group_free(&side);
    MPI_Group_free(&fewer);
    MPI_Comm_free(&between);
}
