#include "scenario.h"

/* The usual compromise of waiting: whether the patience sufficed is a decision of its own. */
void scenario_poll_then_block(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Request request;
        MPI_Status status;
        int done = 0, polls = 0, patience = left % 7;
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
        while (!done && polls < patience) {
            polls++;
            MPI_Test(&request, &done, &status);
        }
        hash_int(h, done);
        hash_int(h, polls);
        if (!done)
            MPI_Wait(&request, &status);
        hash_note(h, &status, &note);
    }
}
