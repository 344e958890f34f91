#include "scenario.h"

#include <stdlib.h>

void scenario_comm_free_pending(MPI_Comm comm, struct hash *h)
{
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    if (rank_in(comm) != 0) {
        send_notes(copy, 0, NOTES, 2);
        MPI_Comm_free(&copy);
        return;
    }
    int notes = notes_to_come(comm);
    struct note *note = malloc((size_t)notes * sizeof *note);
    MPI_Request *request = malloc((size_t)notes * sizeof *request);
    for (int i = 0; i < notes; i++)
        MPI_Irecv(note[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &request[i]);
    MPI_Comm_free(&copy);
    for (int i = 0; i < notes; i++) {
        MPI_Status status;
        MPI_Wait(&request[i], &status);
        hash_note(h, &status, &note[i]);
    }
    free(request);
    free(note);
}
