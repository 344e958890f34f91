#include "scenario.h"

#include <stdlib.h>

/* A barrier tells the senders that all receives of the round are posted. */
void scenario_ready_send(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 6 };
    int senders = size_of(comm) - 1;
    struct note note, *in = malloc((size_t)senders * sizeof *in);
    MPI_Request *request = malloc((size_t)senders * sizeof *request), ready;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank_in(comm) == 0)
            for (int i = 0; i < senders; i++)
                MPI_Irecv(in[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[i]);
        MPI_Barrier(comm);
        if (rank_in(comm) == 0) {
            for (int i = 0; i < senders; i++) {
                int index;
                MPI_Status status;
                MPI_Waitany(senders, request, &index, &status);
                hash_int(h, index);
                hash_note(h, &status, &in[index]);
            }
            continue;
        }
        note = write_note(comm, round);
        jitter();
        switch (round % 3) {
        case 0:
            MPI_Rsend(note.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm);
            break;
        case 1:
            MPI_Irsend(note.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &ready);
            MPI_Wait(&ready, MPI_STATUS_IGNORE);
            break;
        case 2:
            MPI_Rsend_init(note.field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &ready);
            MPI_Start(&ready);
            MPI_Wait(&ready, MPI_STATUS_IGNORE);
            MPI_Request_free(&ready);
            break;
        }
    }
    free(request);
    free(in);
}
