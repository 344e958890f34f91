#include "scenario.h"

/* Sent as plain ints, received with a stride: the gaps keep what was in them. */
void scenario_datatype_vector(MPI_Comm comm, struct hash *h)
{
    enum { ELEMENTS = 6, STRIDE = 2, GAP = -7 };
    MPI_Datatype strided;
    if (rank_in(comm) != 0) {
        for (int i = 0; i < NOTES; i++) {
            int out[ELEMENTS];
            for (int k = 0; k < ELEMENTS; k++)
                out[k] = rank_in(comm) * 1000 + i * 10 + k;
            jitter();
            MPI_Send(out, ELEMENTS, MPI_INT, 0, NOTE_TAG, comm);
        }
        return;
    }
    MPI_Type_vector(ELEMENTS, 1, STRIDE, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    for (int left = notes_to_come(comm); left > 0; left--) {
        int in[ELEMENTS * STRIDE], elements;
        MPI_Status status;
        for (int k = 0; k < ELEMENTS * STRIDE; k++)
            in[k] = GAP;
        if (left % 2 == 0) {
            MPI_Recv(in, 1, strided, MPI_ANY_SOURCE, NOTE_TAG, comm, &status);
        } else {
            MPI_Request request;
            MPI_Irecv(in, 1, strided, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
            MPI_Wait(&request, &status);
        }
        hash_status(h, &status, strided);
        MPI_Get_elements(&status, strided, &elements);
        hash_int(h, elements);
        for (int k = 0; k < ELEMENTS * STRIDE; k++)
            hash_int(h, in[k]);
    }
    MPI_Type_free(&strided);
}
