#include "scenario.h"

/* Messages from one single-threaded sender do not overtake: the tags come in the order of sending. */
void scenario_recv_any_tag(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 5);
        return;
    }
    for (int i = 0; i < NOTES; i++) {
        for (int source = 1; source < size_of(comm); source++) {
            struct note note;
            MPI_Status status;
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, source, MPI_ANY_TAG, comm, &status);
            hash_note(h, &status, &note);
        }
    }
}
