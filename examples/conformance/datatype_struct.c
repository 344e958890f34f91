#include "scenario.h"

#include <stddef.h>

struct particle {
    char kind;
    double weight;
    int cell[3];
};

static MPI_Datatype particle_type(void)
{
    int lengths[] = {1, 1, 3};
    MPI_Aint offsets[] = {offsetof(struct particle, kind), offsetof(struct particle, weight),
                          offsetof(struct particle, cell)};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, members, particle;
    MPI_Type_create_struct(3, lengths, offsets, types, &members);
    MPI_Type_create_resized(members, 0, sizeof(struct particle), &particle);
    MPI_Type_commit(&particle);
    MPI_Type_free(&members);
    return particle;
}

void scenario_datatype_struct(MPI_Comm comm, struct hash *h)
{
    enum { PARTICLES = 3 };
    if (rank_in(comm) != 0) {
        MPI_Datatype type = particle_type();
        for (int i = 0; i < NOTES; i++) {
            struct particle out[PARTICLES];
            for (int k = 0; k < PARTICLES; k++)
                out[k] = (struct particle){'a', rank_in(comm) + 0.5, {i, k, i * k}};
            jitter();
            MPI_Send(out, 1 + i % PARTICLES, type, 0, NOTE_TAG, comm);
        }
        MPI_Type_free(&type);
        return;
    }
    for (int left = notes_to_come(comm); left > 0; left--) {
        MPI_Datatype type = particle_type(), counted = particle_type();
        struct particle in[PARTICLES];
        MPI_Request request;
        MPI_Status status;
        int count;
        MPI_Irecv(in, PARTICLES, type, MPI_ANY_SOURCE, NOTE_TAG, comm, &request);
        MPI_Type_free(&type);
        MPI_Wait(&request, &status);
        hash_status(h, &status, counted);
        MPI_Get_count(&status, counted, &count);
        MPI_Type_free(&counted);
        for (int k = 0; k < count; k++) {
            hash_int(h, in[k].kind);
            hash_int(h, (int)(in[k].weight * 2));
            for (int axis = 0; axis < 3; axis++)
                hash_int(h, in[k].cell[axis]);
        }
    }
}
