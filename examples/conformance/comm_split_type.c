#include "scenario.h"

void scenario_comm_split_type(MPI_Comm comm, struct hash *h)
{
    MPI_Comm node;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, -rank_in(comm), MPI_INFO_NULL, &node);
    race_to_zero(node, h);
    MPI_Comm_free(&node);
}
