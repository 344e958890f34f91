#include "scenario.h"

#include <stdlib.h>

void scenario_waitall_mixed(MPI_Comm comm, struct hash *h)
{
    enum { ROUNDS = 4 };
    int rank = rank_in(comm), others = size_of(comm) - 1;
    struct note *note = malloc(2 * (size_t)others * sizeof *note);
    MPI_Request *request = malloc(2 * (size_t)others * sizeof *request);
    MPI_Status *status = malloc(2 * (size_t)others * sizeof *status);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < others; i++) {
            int send = 2 * i, receive = send + 1;
            note[send] = write_note(comm, round);
            jitter();
            MPI_Irecv(note[receive].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, NOTE_TAG, comm, &request[receive]);
            MPI_Isend(note[send].field, note_length(round), MPI_INT, (rank + 1 + i) % (others + 1), NOTE_TAG, comm,
                      &request[send]);
        }
        MPI_Waitall(2 * others, request, status);
        for (int receive = 1; receive < 2 * others; receive += 2)
            hash_note(h, &status[receive], &note[receive]);
    }
    free(status);
    free(request);
    free(note);
}
