#include "scenario.h"

/* All ranks but rank 1, if there are enough, in reverse order. */
static MPI_Group chosen(MPI_Comm comm)
{
    MPI_Group all, group;
    int rank[64], ranks = 0, size = size_of(comm);
    for (int r = size - 1; r >= 0 && ranks < 64; r--)
        if (r != 1 || size < 4)
            rank[ranks++] = r;
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, ranks, rank, &group);
    MPI_Group_free(&all);
    return group;
}

void scenario_comm_create(MPI_Comm comm, struct hash *h)
{
    MPI_Comm created;
    MPI_Group group = chosen(comm);
    MPI_Comm_create(comm, group, &created);
    MPI_Group_free(&group);
    hash_int(h, created == MPI_COMM_NULL);
    if (created == MPI_COMM_NULL)
        return;
    race_to_zero(created, h);
    MPI_Comm_free(&created);
}
