#include "scenario.h"

/*
 * The freed receive takes one message of each round and never tells whose: the one that the receives after it, each
 * from any source as well, do not get.
 */
void scenario_request_free(MPI_Comm comm, struct hash *h)
{
    static struct note unseen; /* outlives the scenario, as the receive may */
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, NOTES);
        return;
    }
    for (int round = 0; round < NOTES; round++) {
        MPI_Request request;
        MPI_Irecv(unseen.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + round, comm, &request);
        MPI_Request_free(&request);
        hash_int(h, request == MPI_REQUEST_NULL);
        for (int left = size_of(comm) - 2; left > 0; left--) {
            struct note note;
            MPI_Status status;
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG + round, comm, &status);
            hash_note(h, &status, &note);
        }
    }
}
