#include "note.h"

int rank_in(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm)
{
    int size;
    MPI_Comm_size(comm, &size);
    return size;
}

struct note write_note(MPI_Comm comm, int serial)
{
    return (struct note){{rank_in(comm), serial, 2 * serial, 3 * serial}};
}

int note_length(int serial)
{
    return 2 + serial % (NOTE_INTS - 1);
}

void send_notes(MPI_Comm comm, int dest, int notes, int tags)
{
    for (int i = 0; i < notes; i++) {
        struct note note = write_note(comm, i);
        jitter();
        MPI_Send(note.field, note_length(i), MPI_INT, dest, NOTE_TAG + i % tags, comm);
    }
}

void hash_note(struct hash *h, const MPI_Status *status, const struct note *note)
{
    int cancelled;
    hash_status(h, status, MPI_INT);
    MPI_Test_cancelled(status, &cancelled);
    if (cancelled)
        return;
    hash_int(h, note->field[0]);
    hash_int(h, note->field[1]);
}

int notes_to_come(MPI_Comm comm)
{
    return (size_of(comm) - 1) * NOTES;
}
