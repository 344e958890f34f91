#include "scenario.h"

/* The usual receive with a time limit: a few polls, and no more patience after that. */
void scenario_cancel_wildcard(MPI_Comm comm, struct hash *h)
{
    enum { ATTEMPTS = 100 };
    struct note note;
    MPI_Status status;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    int left = notes_to_come(comm);
    for (int attempt = 0; attempt < ATTEMPTS && left > 0; attempt++) {
        MPI_Request request;
        int cancelled, done = 0;
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
        jitter();
        for (int poll = 0; poll < attempt % 4 && !done; poll++)
            MPI_Test(&request, &done, &status);
        if (!done) {
            MPI_Cancel(&request);
            MPI_Wait(&request, &status);
        }
        hash_int(h, done);
        hash_note(h, &status, &note);
        MPI_Test_cancelled(&status, &cancelled);
        left -= !cancelled;
    }
    hash_int(h, left);
    for (; left > 0; left--) {
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        hash_note(h, &status, &note);
    }
}
