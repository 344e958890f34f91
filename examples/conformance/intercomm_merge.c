#include "scenario.h"

void scenario_intercomm_merge(MPI_Comm comm, struct hash *h)
{
    MPI_Comm between = between_halves(comm), merged;
    MPI_Intercomm_merge(between, rank_in(comm) % 2 == 0, &merged); /* the odd ranks come first */
    race_to_zero(merged, h);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
}
