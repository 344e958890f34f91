#include "scenario.h"

/* With messages from several ranks waiting, the second probe may find another one than the first. */
void scenario_probe_twice(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        struct note note;
        MPI_Status first = {0}, second = {0}, received = {0};
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &first);
        jitter();
        MPI_Probe(MPI_ANY_SOURCE, NOTE_TAG + left % 2, comm, &second);
        hash_status(h, &first, MPI_INT);
        hash_status(h, &second, MPI_INT);
        MPI_Status *chosen = left % 3 == 0 && first.MPI_TAG == second.MPI_TAG ? &first : &second;
        MPI_Recv(note.field, NOTE_INTS, MPI_INT, chosen->MPI_SOURCE, chosen->MPI_TAG, comm, &received);
        hash_note(h, &received, &note);
    }
}
