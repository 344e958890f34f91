#include "scenario.h"

static void hash_empty(struct hash *h, const MPI_Status *status)
{
    hash_int(h, status->MPI_SOURCE == MPI_ANY_SOURCE);
    hash_int(h, status->MPI_TAG == MPI_ANY_TAG);
    hash_status(h, status, MPI_INT);
}

static void complete(MPI_Request request[2], struct hash *h)
{
    MPI_Status status, statuses[2];
    int done, index, indices[2];

    MPI_Wait(&request[0], &status);
    hash_empty(h, &status);
    MPI_Test(&request[1], &done, &status);
    hash_int(h, done);
    hash_empty(h, &status);
    MPI_Request_get_status(request[0], &done, &status);
    hash_int(h, done);
    hash_empty(h, &status);

    MPI_Waitall(2, request, statuses);
    hash_empty(h, &statuses[1]);
    MPI_Testall(2, request, &done, statuses);
    hash_int(h, done);
    hash_empty(h, &statuses[0]);

    MPI_Waitany(2, request, &index, &status);
    hash_int(h, index == MPI_UNDEFINED);
    hash_empty(h, &status);
    MPI_Testany(2, request, &index, &done, &status);
    hash_int(h, done);
    hash_int(h, index == MPI_UNDEFINED);
    hash_empty(h, &status);

    MPI_Waitsome(2, request, &done, indices, statuses);
    hash_int(h, done == MPI_UNDEFINED);
    MPI_Testsome(2, request, &done, indices, statuses);
    hash_int(h, done == MPI_UNDEFINED);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Testall(0, NULL, &done, MPI_STATUSES_IGNORE);
    hash_int(h, done);
}

void scenario_null_requests(MPI_Comm comm, struct hash *h)
{
    struct note note;
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    complete(request, h);
    MPI_Recv_init(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[1]);
    complete(request, h);
    MPI_Send_init(note.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &request[0]);
    complete(request, h);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}
