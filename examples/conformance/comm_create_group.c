#include "scenario.h"

/* The even ranks and the odd ranks each make two, with different tags; nobody else takes part. */
void scenario_comm_create_group(MPI_Comm comm, struct hash *h)
{
    enum { TAG_FIRST = 100, TAG_SECOND };
    MPI_Group all, half;
    MPI_Comm first, second;
    int range[1][3] = {{rank_in(comm) % 2, size_of(comm) - 1, 2}};
    MPI_Comm_group(comm, &all);
    MPI_Group_range_incl(all, 1, range, &half);
    jitter();
    MPI_Comm_create_group(comm, half, TAG_FIRST, &first);
    MPI_Comm_create_group(comm, half, TAG_SECOND, &second);
    race_to_zero(second, h);
    race_to_zero(first, h);
    MPI_Comm_free(&second);
    MPI_Comm_free(&first);
    MPI_Group_free(&half);
    MPI_Group_free(&all);
}
