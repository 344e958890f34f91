#include "doomed.h"

#include "note.h"

#include <stdlib.h>

enum { OPEN = 4 };

static void send_to_all(int serial)
{
    struct note note = write_note(MPI_COMM_WORLD, serial);
    int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    for (int distance = 1; distance < size; distance++) {
        jitter();
        MPI_Send(note.field, note_length(serial), MPI_INT, (rank + distance) % size, NOTE_TAG, MPI_COMM_WORLD);
    }
}

void receive_until_doom(int argc, char **argv, struct hash *h)
{
    static struct note note[OPEN];
    MPI_Request request[OPEN];
    int rank = rank_in(MPI_COMM_WORLD), others = size_of(MPI_COMM_WORLD) - 1;
    int doomed = argc > 1 ? atoi(argv[1]) : others;
    int receives = argc > 2 ? atoi(argv[2]) : 10;

    for (int i = 0; i < OPEN; i++)
        MPI_Irecv(note[i].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
    for (int received = 0;; received++) {
        int index;
        MPI_Status status;
        if (rank == doomed && received == receives)
            return;
        if (received % others == 0)
            send_to_all(received / others);
        MPI_Waitany(OPEN, request, &index, &status);
        hash_int(h, index);
        hash_note(h, &status, &note[index]);
        MPI_Irecv(note[index].field, NOTE_INTS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                  &request[index]);
    }
}
