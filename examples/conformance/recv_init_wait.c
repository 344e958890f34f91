#include "scenario.h"

void scenario_recv_init_wait(MPI_Comm comm, struct hash *h)
{
    struct note note;
    MPI_Request request;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    MPI_Recv_init(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    for (int left = notes_to_come(comm); left > 0; left--) {
        MPI_Status status;
        MPI_Start(&request);
        jitter();
        MPI_Wait(&request, &status);
        hash_note(h, &status, &note);
        hash_int(h, request != MPI_REQUEST_NULL);
    }
    MPI_Request_free(&request);
}
