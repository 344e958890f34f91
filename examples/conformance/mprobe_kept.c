#include "scenario.h"

void scenario_mprobe_kept(MPI_Comm comm, struct hash *h)
{
    enum { KEPT = 4 };
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left -= KEPT) {
        MPI_Message message[KEPT];
        MPI_Status status = {0};
        for (int i = 0; i < KEPT; i++) {
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message[i], &status);
            hash_status(h, &status, MPI_INT);
        }
        for (int i = KEPT - 1; i >= 0; i--) {
            struct note note;
            MPI_Mrecv(note.field, NOTE_INTS, MPI_INT, &message[i], &status);
            hash_note(h, &status, &note);
        }
    }
}

_Static_assert(NOTES % 4 == 0, "every round keeps as many");
