#include "scenario.h"

/* How often the library calls the functions of a generalized request, whatever call completes it. */

static int queries, releases, cancels;

static int query(void *state, MPI_Status *status)
{
    (void)state;
    queries++;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = queries;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    releases++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    cancels += 1 + complete;
    return MPI_SUCCESS;
}

static void complete(int kind, MPI_Request *request, MPI_Status *status)
{
    int flag = 0, index;
    switch (kind) {
    case 0:
        MPI_Wait(request, status);
        break;
    case 1:
        while (!flag)
            MPI_Test(request, &flag, status);
        break;
    case 2:
        MPI_Waitany(1, request, &index, status);
        break;
    case 3:
        while (!flag)
            MPI_Testall(1, request, &flag, status);
        break;
    case 4:
        MPI_Waitsome(1, request, &flag, &index, status);
        break;
    case 5:
        while (!flag)
            MPI_Request_get_status(*request, &flag, status);
        MPI_Waitall(1, request, status);
        break;
    case 6:
        MPI_Request_free(request);
        break;
    }
}

void scenario_grequest_calls(MPI_Comm comm, struct hash *h)
{
    (void)comm;
    for (int kind = 0; kind < 7; kind++) {
        MPI_Request request;
        MPI_Status status = {0};
        queries = releases = cancels = 0;
        MPI_Grequest_start(query, release, cancel, NULL, &request);
        MPI_Grequest_complete(request);
        MPI_Cancel(&request); /* too late, as the function is told */
        complete(kind, &request, &status);
        hash_int(h, request == MPI_REQUEST_NULL);
        hash_int(h, status.MPI_TAG);
        hash_int(h, queries);
        hash_int(h, releases);
        hash_int(h, cancels);
    }
}
