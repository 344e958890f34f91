#include "scenario.h"

void scenario_self_send(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 1);
        return;
    }
    for (int i = 0; i < NOTES; i++) {
        struct note mine = write_note(comm, i);
        MPI_Request send;
        jitter();
        MPI_Isend(mine.field, note_length(i), MPI_INT, 0, NOTE_TAG, comm, &send);
        for (int k = 0; k < size_of(comm); k++) {
            struct note note;
            MPI_Status status;
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
            hash_note(h, &status, &note);
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
}
