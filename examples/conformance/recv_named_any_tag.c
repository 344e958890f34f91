#include "scenario.h"

enum { TAGS = 3, ROUNDS = 5 };

/* Of every three messages the receiver takes the last tag first, then the other two by MPI_ANY_TAG. */
void scenario_recv_named_any_tag(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, TAGS * ROUNDS, TAGS);
        return;
    }
    for (int source = 1; source < size_of(comm); source++) {
        for (int i = 0; i < TAGS * ROUNDS; i++) {
            struct note note;
            MPI_Status status;
            int tag = i % TAGS == 0 ? NOTE_TAG + TAGS - 1 : MPI_ANY_TAG;
            MPI_Recv(note.field, NOTE_INTS, MPI_INT, source, tag, comm, &status);
            hash_note(h, &status, &note);
        }
    }
}
