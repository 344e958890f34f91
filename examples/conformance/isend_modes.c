#include "scenario.h"

#include <stdlib.h>

static void isend_all_modes(MPI_Comm comm, struct hash *h)
{
    struct note note[NOTES];
    MPI_Request request[NOTES];
    int bytes = NOTES * ((int)sizeof(struct note) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)bytes);
    MPI_Buffer_attach(buffer, bytes);
    for (int i = 0; i < NOTES; i++) {
        note[i] = write_note(comm, i);
        jitter();
        switch (i % 3) {
        case 0:
            MPI_Isend(note[i].field, note_length(i), MPI_INT, 0, NOTE_TAG, comm, &request[i]);
            break;
        case 1:
            MPI_Issend(note[i].field, note_length(i), MPI_INT, 0, NOTE_TAG, comm, &request[i]);
            break;
        case 2:
            MPI_Ibsend(note[i].field, note_length(i), MPI_INT, 0, NOTE_TAG, comm, &request[i]);
            break;
        }
    }
    for (int i = 0; i < NOTES; i++) {
        int index;
        MPI_Waitany(NOTES, request, &index, MPI_STATUS_IGNORE);
        hash_int(h, index);
    }
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
}

void scenario_isend_modes(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) == 0)
        receive_notes(comm, notes_to_come(comm), h);
    else
        isend_all_modes(comm, h);
}
