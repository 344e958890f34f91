#include "scenario.h"

#if MPI_VERSION >= 4
/* Two persistent collectives that odd ranks start in the other order; what is sent behind them cannot be taken before. */
void scenario_barrier_init(MPI_Comm comm, struct hash *h)
{
    MPI_Request request[2];
    int sum = 0, one = 1;
    MPI_Barrier_init(comm, MPI_INFO_NULL, &request[0]);
    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request[1]);
    for (int round = 0; round < 3; round++) {
        race_to_zero(comm, h);
        MPI_Start(&request[rank_in(comm) % 2]);
        MPI_Start(&request[1 - rank_in(comm) % 2]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}
#endif
