#include "report.h"

#include "note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void report_hash(const char *name, const struct hash *h, bool each_rank)
{
    int size = size_of(MPI_COMM_WORLD);
    uint64_t *of_rank = malloc((size_t)size * sizeof *of_rank);
    MPI_Gather(&h->value, 1, MPI_UINT64_T, of_rank, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) {
        struct hash all = hash_start();
        for (int rank = 0; rank < size; rank++)
            hash_int(&all, (int64_t)of_rank[rank]);
        report_own_hash(name, &all);
        for (int rank = 0; each_rank && rank < size; rank++)
            printf("%s/%d %016" PRIx64 "\n", name, rank, of_rank[rank]);
        fflush(stdout);
    }
    free(of_rank);
}

void report_own_hash(const char *name, const struct hash *h)
{
    const char *file = getenv("CONFORMANCE_HASHES");
    FILE *out = file != NULL ? fopen(file, "a") : stdout;
    if (out == NULL) {
        perror(file);
        return;
    }
    fprintf(out, "%s %016" PRIx64 "\n", name, h->value);
    fflush(out);
    if (out != stdout)
        fclose(out);
}
