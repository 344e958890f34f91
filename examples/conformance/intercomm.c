#include "scenario.h"

/* Everyone sends to the leader of the other side. */
void scenario_intercomm(MPI_Comm comm, struct hash *h)
{
    MPI_Comm between = between_halves(comm);
    race_across(between, h);
    MPI_Barrier(between);
    MPI_Comm_free(&between);
}
