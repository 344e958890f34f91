#include "scenario.h"

/* Element 0 of the type lies four ints before the address given, or four after it. */
static MPI_Datatype shifted(int ints)
{
    int length = 3;
    MPI_Aint offset = ints * (MPI_Aint)sizeof(int);
    MPI_Datatype type;
    MPI_Type_create_hindexed(1, &length, &offset, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

void scenario_datatype_lower_bound(MPI_Comm comm, struct hash *h)
{
    enum { ROOM = 16, MIDDLE = 8, SHIFT = 4 };
    MPI_Datatype type[2] = {shifted(-SHIFT), shifted(SHIFT)};
    if (rank_in(comm) != 0) {
        for (int i = 0; i < NOTES; i++) {
            int out[ROOM];
            for (int k = 0; k < ROOM; k++)
                out[k] = rank_in(comm) * 1000 + i * 20 + k;
            jitter();
            MPI_Send(out + MIDDLE, 1, type[i % 2], 0, NOTE_TAG, comm);
        }
    }
    for (int left = rank_in(comm) == 0 ? notes_to_come(comm) : 0; left > 0; left--) {
        int in[ROOM] = {0};
        MPI_Status status;
        MPI_Recv(in + MIDDLE, 1, type[left % 2], MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
        hash_status(h, &status, type[left % 2]);
        for (int k = 0; k < ROOM; k++)
            hash_int(h, in[k]);
    }
    MPI_Type_free(&type[0]);
    MPI_Type_free(&type[1]);
}
