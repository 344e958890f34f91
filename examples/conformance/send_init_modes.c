#include "scenario.h"

#include <stdlib.h>

enum { MODES = 4 };

/* Ready mode is missing here: it has a scenario of its own. */
static void send_rounds(MPI_Comm comm, struct hash *h)
{
    struct note note[MODES];
    MPI_Request request[MODES];
    int bytes = NOTES * ((int)sizeof(struct note) + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)bytes);
    MPI_Buffer_attach(buffer, bytes);
    MPI_Send_init(note[0].field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &request[0]);
    MPI_Ssend_init(note[1].field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &request[1]);
    MPI_Bsend_init(note[2].field, NOTE_INTS, MPI_INT, 0, NOTE_TAG, comm, &request[2]);
    MPI_Send_init(note[3].field, 2, MPI_INT, 0, NOTE_TAG, comm, &request[3]);
    for (int round = 0; round < NOTES / MODES; round++) {
        for (int i = 0; i < MODES; i++)
            note[i] = write_note(comm, round * MODES + i);
        jitter();
        MPI_Startall(MODES, request);
        for (int left = MODES; left > 0;) {
            int done, index[MODES];
            MPI_Waitsome(MODES, request, &done, index, MPI_STATUSES_IGNORE);
            for (int i = 0; i < done; i++)
                hash_int(h, index[i]);
            left -= done;
        }
    }
    for (int i = 0; i < MODES; i++)
        MPI_Request_free(&request[i]);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
}

void scenario_send_init_modes(MPI_Comm comm, struct hash *h)
{
    if (rank_in(comm) == 0)
        receive_notes(comm, notes_to_come(comm), h);
    else
        send_rounds(comm, h);
}

_Static_assert(NOTES % MODES == 0, "every round sends as many");
