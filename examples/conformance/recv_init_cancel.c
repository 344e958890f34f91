#include "scenario.h"

void scenario_recv_init_cancel(MPI_Comm comm, struct hash *h)
{
    enum { ATTEMPTS = 100 };
    struct note note;
    MPI_Request request;
    MPI_Status status;
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    int left = notes_to_come(comm);
    MPI_Recv_init(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    for (int attempt = 0; attempt < ATTEMPTS && left > 0; attempt++) {
        int cancelled, done = 0;
        MPI_Start(&request);
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
    for (; left > 0; left--) {
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        hash_note(h, &status, &note);
    }
    MPI_Request_free(&request);
}
