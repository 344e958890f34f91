#include "scenario.h"

void scenario_irecv_test(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Request request;
        MPI_Status status;
        int done = 0;
        MPI_Irecv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
        for (int failed = 0; !done; failed++) {
            MPI_Test(&request, &done, &status);
            if (done)
                hash_int(h, failed);
        }
        hash_note(h, &status, &note);
    }
}
