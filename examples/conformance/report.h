/*
 * How a hash is told: one line on standard output, the name and 16 hexadecimal digits; or in the file that the variable
 * CONFORMANCE_HASHES names, since launchers drop what a rank that aborts has just printed.
 */
#ifndef CONFORMANCE_REPORT_H
#define CONFORMANCE_REPORT_H

#include "hash.h"

#include <stdbool.h>

/* Collective over MPI_COMM_WORLD: rank 0 prints the hash of all ranks' hashes, and each rank's own if asked to. */
void report_hash(const char *name, const struct hash *h, bool each_rank);

/* Prints this rank's hash, without a message: for the rank that is about to die. */
void report_own_hash(const char *name, const struct hash *h);

#endif
