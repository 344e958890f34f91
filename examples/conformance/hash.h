/*
 * A hash of what a rank saw, in the order in which it saw it: sources, tags, counts, indices, outcomes of polls and
 * numbers of failed polls. Two runs with the same hash took the same decisions. Addresses, payload padding and times
 * stay out of it.
 */
#ifndef CONFORMANCE_HASH_H
#define CONFORMANCE_HASH_H

#include <mpi.h>
#include <stdint.h>

struct hash {
    uint64_t value;
};

struct hash hash_start(void);
void hash_int(struct hash *h, int64_t value);

/* Source, tag, count in elements of `type`, and whether it was cancelled; not MPI_ERROR, which is seldom defined. */
void hash_status(struct hash *h, const MPI_Status *status, MPI_Datatype type);

/*
 * An error as the program sees it: its class, and whether the code is the class itself. MPICH returns codes that
 * encode the instance of the error, which differ between equal runs; that it did so does not.
 */
void hash_error(struct hash *h, int code);

#endif
