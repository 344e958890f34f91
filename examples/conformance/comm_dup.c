#include "scenario.h"

void scenario_comm_dup(MPI_Comm comm, struct hash *h)
{
    MPI_Comm copy, with_info;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &with_info);
    race_to_zero(with_info, h);
    MPI_Comm_free(&copy);
    race_to_zero(with_info, h);
    MPI_Comm_free(&with_info);
}
