#include "hash.h"

/* FNV-1a, 64 bits, over the eight bytes of each value. */
struct hash hash_start(void)
{
    return (struct hash){.value = 0xcbf29ce484222325u};
}

void hash_int(struct hash *h, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    for (int byte = 0; byte < 8; byte++) {
        h->value ^= bits >> (8 * byte) & 0xff;
        h->value *= 0x100000001b3u;
    }
}

void hash_status(struct hash *h, const MPI_Status *status, MPI_Datatype type)
{
    int count, cancelled;
    MPI_Test_cancelled(status, &cancelled);
    hash_int(h, cancelled);
    if (cancelled)
        return; /* the other fields are undefined */
    MPI_Get_count(status, type, &count);
    hash_int(h, status->MPI_SOURCE);
    hash_int(h, status->MPI_TAG);
    hash_int(h, count);
}

void hash_error(struct hash *h, int code)
{
    int class;
    MPI_Error_class(code, &class);
    hash_int(h, class);
    hash_int(h, code == class);
}
