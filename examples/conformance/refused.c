#include "scenario.h"

/*
 * Calls that the library refuses. The program hears of each once, from the same communicator's error handler, with the
 * same class; what the other half of a refused exchange would have done is not done.
 */

static struct hash *heard; /* what the error handlers saw */

static void hear(MPI_Comm *comm, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    hash_int(heard, class);
    hash_int(heard, *comm == MPI_COMM_WORLD ? 1 : *comm == MPI_COMM_SELF ? 2 : 3);
}

static void tried(struct hash *h, int code)
{
    hash_error(h, code);
}

struct attempt {
    const void *buffer;
    int count;
    MPI_Datatype type;
    int peer, tag;
    MPI_Comm comm;
};

static void try_sends(struct hash *h, struct attempt a)
{
    MPI_Request request = MPI_REQUEST_NULL;
    tried(h, MPI_Send(a.buffer, a.count, a.type, a.peer, a.tag, a.comm));
    tried(h, MPI_Ssend(a.buffer, a.count, a.type, a.peer, a.tag, a.comm));
    tried(h, MPI_Isend(a.buffer, a.count, a.type, a.peer, a.tag, a.comm, &request));
    tried(h, MPI_Issend(a.buffer, a.count, a.type, a.peer, a.tag, a.comm, &request));
    tried(h, MPI_Send_init(a.buffer, a.count, a.type, a.peer, a.tag, a.comm, &request));
}

static void try_receives(struct hash *h, struct attempt a)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status = {0};
    int room[4];
    tried(h, MPI_Recv(room, a.count, a.type, a.peer, a.tag, a.comm, &status));
    tried(h, MPI_Recv(room, a.count, a.type, a.peer, a.tag, a.comm, MPI_STATUS_IGNORE));
    tried(h, MPI_Irecv(room, a.count, a.type, a.peer, a.tag, a.comm, &request));
    tried(h, MPI_Recv_init(room, a.count, a.type, a.peer, a.tag, a.comm, &request));
}

/* One half is in order, the other is not. */
static void try_exchanges(struct hash *h, struct attempt a, MPI_Comm comm)
{
    int own[2] = {1, 2}, room[2], self = rank_in(comm);
    MPI_Status status = {0};
    tried(h, MPI_Sendrecv(a.buffer, a.count, a.type, a.peer, a.tag, room, 2, MPI_INT, MPI_ANY_SOURCE, 1, a.comm,
                          &status));
    tried(h, MPI_Sendrecv(own, 2, MPI_INT, self, 1, room, a.count, a.type, a.peer, a.tag, a.comm, &status));
    tried(h, MPI_Sendrecv_replace(room, a.count, a.type, a.peer, a.tag, self, 1, a.comm, &status));
}

void scenario_refused(MPI_Comm comm, struct hash *h)
{
    int data[4] = {1, 2, 3, 4}, size = size_of(comm), flag;
    MPI_Errhandler handler;
    MPI_Datatype uncommitted;
    heard = h;
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);

    const struct attempt attempts[] = {
        {data, 2, MPI_INT, size, 1, comm},          {data, 2, MPI_INT, -77, 1, comm},
        {data, 2, MPI_INT, 0, -77, comm},           {data, -1, MPI_INT, 0, 1, comm},
        {data, 2, MPI_DATATYPE_NULL, 0, 1, comm},   {data, 1, uncommitted, 0, 1, comm},
        {data, 2, MPI_INT, 0, 1, MPI_COMM_NULL},    {data, -1, MPI_INT, MPI_PROC_NULL, 1, comm},
    };
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        try_sends(h, attempts[i]);
        try_receives(h, attempts[i]);
        try_exchanges(h, attempts[i], comm);
    }
    try_sends(h, (struct attempt){NULL, 2, MPI_INT, 0, 1, comm});
    try_receives(h, (struct attempt){data, 2, MPI_DATATYPE_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG, comm});
    try_receives(h, (struct attempt){data, -1, MPI_INT, MPI_ANY_SOURCE, 1, comm});
    try_receives(h, (struct attempt){data, 1, MPI_INT, MPI_ANY_SOURCE, -77, comm});
    try_receives(h, (struct attempt){data, 1, MPI_INT, size, MPI_ANY_TAG, comm});

    /* Nothing of all that has left: no message is on its way. */
    MPI_Barrier(comm);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
    hash_int(h, flag);
    MPI_Barrier(comm);

    /* A message that is too long is an error of this communicator alone. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    int right = (rank_in(comm) + 1) % size, left = (rank_in(comm) + size - 1) % size;
    MPI_Request request;
    MPI_Isend(data, 4, MPI_INT, right, 2, comm, &request);
    tried(h, MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 2, comm, MPI_STATUS_IGNORE));
    tried(h, MPI_Wait(&request, MPI_STATUS_IGNORE));
    tried(h, MPI_Sendrecv(data, 4, MPI_INT, right, 3, data, 1, MPI_INT, left, 3, comm, MPI_STATUS_IGNORE));

    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_Type_free(&uncommitted);
}
