#include "scenario.h"

#include <stdlib.h>

/* Waits backwards in steps of three: a post's number and the number of its completion have nothing in common. */
void scenario_irecv_out_of_order(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) != 0) {
        send_notes(comm, 0, NOTES, 3);
        return;
    }
    int notes = notes_to_come(comm);
    struct note *note = malloc((size_t)notes * sizeof *note);
    MPI_Request *request = malloc((size_t)notes * sizeof *request);
    for (int i = 0; i < notes; i++)
        MPI_Irecv(note[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[i]);
    for (int start = 0; start < 3; start++) {
        for (int i = notes - 1 - start; i >= 0; i -= 3) {
            MPI_Status status;
            MPI_Wait(&request[i], &status);
            hash_note(h, &status, &note[i]);
        }
    }
    free(request);
    free(note);
}
