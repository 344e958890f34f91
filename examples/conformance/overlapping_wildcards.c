#include "scenario.h"

#include <stdlib.h>

/*
 * The posts for the first tag stand before those for any tag: were it the other way round, a message of the first tag
 * could take a post that a message of the second tag needs, and a post would stay open for ever.
 */
void scenario_overlapping_wildcards(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 2);
        return;
    }
    int notes = notes_to_come(comm);
    struct note *note = malloc((size_t)notes * sizeof *note);
    MPI_Request *request = malloc((size_t)notes * sizeof *request);
    for (int i = 0; i < notes; i++) {
        int tag = i < notes / 2 ? NOTE_TAG : MPI_ANY_TAG;
        MPI_Irecv(note[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, tag, comm, &request[i]);
    }
    for (int left = notes; left > 0; left--) {
        int i;
        MPI_Status status;
        MPI_Waitany(notes, request, &i, &status);
        hash_int(h, i);
        hash_note(h, &status, &note[i]);
    }
    free(request);
    free(note);
}
