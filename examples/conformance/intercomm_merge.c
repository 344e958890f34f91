#include "scenario.h"

/* Even and odd ranks face each other; the leaders are ranks 0 and 1 of comm. */
static MPI_Comm between_halves(MPI_Comm comm)
{
    enum { TAG = 200 };
    MPI_Comm half, between;
    int side = rank_in(comm) % 2;
    MPI_Comm_split(comm, side, rank_in(comm), &half);
    MPI_Intercomm_create(half, 0, comm, 1 - side, TAG, &between);
    MPI_Comm_free(&half);
    return between;
}

void scenario_intercomm_merge(MPI_Comm comm, struct hash *h)
{
    MPI_Comm between = between_halves(comm), merged;
    MPI_Intercomm_merge(between, rank_in(comm) % 2 == 0, &merged); /* the odd ranks come first */
    race_to_zero(merged, h);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
}
