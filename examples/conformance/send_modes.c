#include "scenario.h"

#include <stdlib.h>

static void send_all_modes(MPI_Comm comm)
{
    int bytes = NOTES * ((int)sizeof(struct note) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)bytes);
    MPI_Buffer_attach(buffer, bytes);
    for (int i = 0; i < NOTES; i++) {
        struct note note = write_note(comm, i);
        jitter();
        switch (i % 3) {
        case 0:
            MPI_Send(note.field, note_length(i), MPI_INT, 0, NOTE_TAG, comm);
            break;
        case 1:
            MPI_Ssend(note.field, note_length(i), MPI_INT, 0, NOTE_TAG, comm);
            break;
        case 2:
            MPI_Bsend(note.field, note_length(i), MPI_INT, 0, NOTE_TAG, comm);
            break;
        }
    }
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
}

void scenario_send_modes(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) == 0)
        receive_notes(comm, notes_to_come(comm), h);
    else
        send_all_modes(comm);
}
