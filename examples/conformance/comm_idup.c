#include "scenario.h"

void scenario_comm_idup(MPI_Comm comm, struct hash *h)
{
    MPI_Comm copy;
    MPI_Request request;
    int done = 0, failed = -1;
    jitter();
    MPI_Comm_idup(comm, &copy, &request);
    race_to_zero(comm, h);
    while (!done) {
        failed++;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    hash_int(h, failed);
    race_to_zero(copy, h);
    MPI_Comm_free(&copy);
}
