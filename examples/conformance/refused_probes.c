#include "scenario.h"

/*
 * Probes, starts and exchanges that the library refuses, and receives that fail: the error handler hears of each once,
 * when the program asks and not before, and a refused call does nothing.
 */

enum { TAG = 5, BAD = -77 };

static int heard; /* calls of the error handler since the last look */

static void hear(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    heard++;
}

static void tried(struct hash *h, int code)
{
    hash_error(h, code);
    hash_int(h, heard);
    heard = 0;
}

static void probes(MPI_Comm comm, struct hash *h)
{
    MPI_Status status = {0};
    MPI_Message message;
    int flag, size = size_of(comm);
    const int asked[][2] = {{size, TAG}, {0, BAD}, {BAD, MPI_ANY_TAG}, {MPI_ANY_SOURCE, BAD}};
    for (int i = 0; i < 4; i++) {
        int source = asked[i][0], tag = asked[i][1];
        tried(h, MPI_Probe(source, tag, comm, &status));
        tried(h, MPI_Mprobe(source, tag, comm, &message, &status));
        tried(h, MPI_Iprobe(source, tag, comm, &flag, &status));
        tried(h, MPI_Improbe(source, tag, comm, &flag, &message, MPI_STATUS_IGNORE));
    }
}

/* One receive that is started twice, and two of which one cannot be started. */
static void starts(MPI_Comm comm, struct hash *h)
{
    int data = rank_in(comm), room = -1, flag, right = (data + 1) % size_of(comm);
    MPI_Request requests[2];
    MPI_Status status = {0};
    MPI_Recv_init(&room, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &requests[0]);
#ifdef MPICH /* Open MPI 4.1 starts it again, and hangs in MPI_Finalize */
    tried(h, MPI_Start(&requests[0]));
    tried(h, MPI_Start(&requests[0]));
    MPI_Send(&data, 1, MPI_INT, right, TAG, comm);
    tried(h, MPI_Wait(&requests[0], &status));
    hash_int(h, status.MPI_SOURCE);
#endif
    requests[1] = MPI_REQUEST_NULL;
    tried(h, MPI_Startall(2, requests));
    for (int i = 0; i < 1000; i++) /* open receives are looked at now and then */
        MPI_Iprobe(0, TAG + 1, comm, &flag, MPI_STATUS_IGNORE);
    tried(h, MPI_Test(&requests[0], &flag, &status));
    hash_int(h, flag); /* it was not started, so it is complete */
    tried(h, MPI_Start(&requests[0]));
    MPI_Send(&data, 1, MPI_INT, right, TAG, comm);
    tried(h, MPI_Wait(&requests[0], &status));
    hash_int(h, room);
    MPI_Request_free(&requests[0]);
}

/* The messages are too long for what was posted; the receive behind them is not. */
static void failures(MPI_Comm comm, struct hash *h)
{
    int data[4] = {1, 2, 3, 4}, room[4], self = rank_in(comm), flag = 0, index = -1, code = MPI_SUCCESS;
    for (int kind = 0; kind < 5; kind++) {
        MPI_Request requests[2];
        MPI_Status status = {0};
        MPI_Irecv(room, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
        MPI_Irecv(room, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[1]);
        MPI_Send(data, 4, MPI_INT, self, TAG, comm);
        MPI_Send(data, 2, MPI_INT, self, TAG, comm);
        tried(h, MPI_Wait(&requests[1], &status));
        for (int i = 0; i < 300; i++)
            MPI_Iprobe(0, TAG + 1, comm, &flag, MPI_STATUS_IGNORE);
        tried(h, code);
        switch (kind) {
        case 0:
            code = MPI_Wait(&requests[0], &status);
            break;
        case 1:
            do
                code = MPI_Test(&requests[0], &flag, &status);
            while (code == MPI_SUCCESS && !flag);
            break;
        case 2:
            code = MPI_Waitany(2, requests, &index, &status);
            break;
        case 3:
            code = MPI_Waitall(1, requests, &status);
            break;
        case 4:
            do
                code = MPI_Request_get_status(requests[0], &flag, &status);
            while (code == MPI_SUCCESS && !flag);
            tried(h, code);
            code = MPI_Wait(&requests[0], &status);
        }
        tried(h, code);
        hash_int(h, status.MPI_TAG);
    }
}

void scenario_refused_probes(MPI_Comm comm, struct hash *h)
{
    int data = 1, flag;
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    probes(comm, h);
    starts(comm, h);
    failures(comm, h);
    tried(h, MPI_Sendrecv(&data, 1, MPI_INT, rank_in(comm), TAG, NULL, 1, MPI_INT, MPI_ANY_SOURCE, TAG, comm,
                          MPI_STATUS_IGNORE));
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
    hash_int(h, flag); /* nothing of the refused exchange was sent */
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
}
