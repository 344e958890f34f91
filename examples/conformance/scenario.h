/* What every scenario includes. */
#ifndef CONFORMANCE_SCENARIO_H
#define CONFORMANCE_SCENARIO_H

#include "hash.h"
#include "jitter.h"
#include "note.h"

#include <mpi.h>
#include <stddef.h>

#define SCENARIO(name, varies, from_ranks, point) void scenario_##name(MPI_Comm comm, struct hash *h);
#include "scenarios.h"

#endif
