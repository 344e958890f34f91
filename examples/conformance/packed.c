#include "scenario.h"

void scenario_packed(MPI_Comm comm, struct hash *h)
{
    enum { ROOM = 256 };
    char buffer[ROOM];
    if (rank_in(comm) != 0) {
        for (int i = 0; i < NOTES; i++) {
            int position = 0, count = 1 + i % 4, values[4] = {i, 2 * i, 3 * i, 4 * i};
            double weight = 0.5 * rank_in(comm);
            MPI_Pack(&count, 1, MPI_INT, buffer, ROOM, &position, comm);
            MPI_Pack(values, count, MPI_INT, buffer, ROOM, &position, comm);
            MPI_Pack(&weight, 1, MPI_DOUBLE, buffer, ROOM, &position, comm);
            jitter();
            MPI_Send(buffer, position, MPI_PACKED, 0, NOTE_TAG, comm);
        }
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        MPI_Status status = {0};
        int position = 0, bytes, count, values[4];
        double weight;
        if (left % 2 == 0) {
            MPI_Probe(MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
            MPI_Get_count(&status, MPI_PACKED, &bytes);
            MPI_Recv(buffer, bytes, MPI_PACKED, status.MPI_SOURCE, NOTE_TAG, comm, &status);
        } else {
            MPI_Recv(buffer, ROOM, MPI_PACKED, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
        }
        hash_status(h, &status, MPI_PACKED);
        MPI_Unpack(buffer, ROOM, &position, &count, 1, MPI_INT, comm);
        MPI_Unpack(buffer, ROOM, &position, values, count, MPI_INT, comm);
        MPI_Unpack(buffer, ROOM, &position, &weight, 1, MPI_DOUBLE, comm);
        for (int k = 0; k < count; k++)
            hash_int(h, values[k]);
        hash_int(h, (int)(2 * weight));
    }
}
