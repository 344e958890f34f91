/*
 * The calls of MPI, and how to reach the library's own. Every file of the interposer includes this.
 *
 * The library sits between a program and its MPI: it intercepts, appends outcomes to a file, or obeys recorded ones. It
 * decides nothing; every analysis is Reprise's, in Java. A reader's way through: calls.def lists the calls, life.c begins
 * and ends a trace, point_to_point.c, waits.c, choices.c and probe.c wrap what is nondeterministic, order.c writes their
 * outcomes, plan.c reads them back in a replay.
 *
 * Two suffixes, wherever a function has variants:
 *
 *   f_quick  does what f does where enter_quick was true: a recording by one thread that has nothing to ask. For a few
 *            functions on the hottest paths, next to f, which serves every other case.
 *   f_slow   is the rest of an inline f: f tests for the common case and handles it, and calls f_slow for any other.
 *            Nobody but f calls it, except where the common case is known not to hold.
 */
#ifndef REPRISE_CALLS_H
#define REPRISE_CALLS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reprise_wire.h"

/* Nobody else has these symbols, so no access to them needs to go through the table of global ones. */
#pragma GCC visibility push(hidden)

#define EXPORT __attribute__((visibility("default")))
/* At a fixed distance from the thread's pointer: otherwise the loader is called for each access. */
#define PER_THREAD __thread __attribute__((tls_model("initial-exec")))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define likely(x) __builtin_expect(!!(x), 1)

/* ---- The table ---- */

enum call {
#define CALL(name, class, roles, parameters, arguments) CALL_##name,
#include "calls.def"
#undef CALL
  CALL_COUNT
};
_Static_assert(CALL_COUNT <= REPRISE_CALLS_MAX, "the header has room for every call");

/* What a call does, as calls.def explains. */
enum {
  NO_ROLE = 0,
  SENDS = 1,
  RECEIVES = 2,
  PROBES = 4,
  POSTS = 8,
  STARTS = 16,
  COMPLETES = 32,
  SEVERAL = 64,
  POLLS = 128,
  COLLECTIVE = 256
};

/* The library's own functions. Never cached while unknown: libmpi may be loaded later, and privately. */
extern void *real_function[CALL_COUNT];
void *resolve(enum call id);
void resolve_all(void);
void *find_in_mpi(const char *symbol);
void *find_variable(const char *symbol);

#define REAL(name)                                                                                                     \
  ((__typeof__(&PMPI_##name))(likely(real_function[CALL_##name] != NULL) ? real_function[CALL_##name]                  \
                                                                          : resolve(CALL_##name)))

/* Where a wrapper was entered: MPI_Init resolved all. */
#define REAL_NOW(name) ((__typeof__(&PMPI_##name))real_function[CALL_##name])

/* A library that resolves PMPI_x, and one that calls MPI_x: both reach the same wrapper. */
#define ALSO_AS_PMPI(name) EXPORT __typeof__(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)))

/*
 * Open MPI's predefined handles are addresses inside libmpi. To name them would tie this library to libmpi, and it is
 * loaded into processes that have none (mpirun) or get it later (Python); so they are looked up at MPI_Init.
 */
#ifdef OPEN_MPI
#define OPEN_MPI_HANDLES(H)                                                                                            \
  H(MPI_Comm, COMM_WORLD, ompi_mpi_comm_world)                                                                         \
  H(MPI_Comm, COMM_SELF, ompi_mpi_comm_self)                                                                           \
  H(MPI_Comm, COMM_NULL, ompi_mpi_comm_null)                                                                           \
  H(MPI_Request, REQUEST_NULL, ompi_request_null)                                                                      \
  H(MPI_Errhandler, ERRORS_RETURN, ompi_mpi_errors_return)                                                             \
  H(MPI_Datatype, BYTE, ompi_mpi_byte)                                                                                 \
  H(MPI_Datatype, PACKED, ompi_mpi_packed)                                                                             \
  H(MPI_Datatype, DATATYPE_NULL, ompi_mpi_datatype_null)                                                               \
  H(MPI_Message, MESSAGE_NULL, ompi_message_null)                                                                      \
  H(MPI_Message, MESSAGE_NO_PROC, ompi_message_no_proc)
struct open_mpi_handles {
#define H(type, name, symbol) type name;
  OPEN_MPI_HANDLES(H)
#undef H
};
extern struct open_mpi_handles open_mpi;
#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#undef MPI_COMM_NULL
#undef MPI_REQUEST_NULL
#undef MPI_ERRORS_RETURN
#undef MPI_BYTE
#undef MPI_PACKED
#undef MPI_DATATYPE_NULL
#undef MPI_MESSAGE_NULL
#undef MPI_MESSAGE_NO_PROC
#define MPI_COMM_WORLD open_mpi.COMM_WORLD
#define MPI_COMM_SELF open_mpi.COMM_SELF
#define MPI_COMM_NULL open_mpi.COMM_NULL
#define MPI_REQUEST_NULL open_mpi.REQUEST_NULL
#define MPI_ERRORS_RETURN open_mpi.ERRORS_RETURN
#define MPI_BYTE open_mpi.BYTE
#define MPI_PACKED open_mpi.PACKED
#define MPI_DATATYPE_NULL open_mpi.DATATYPE_NULL
#define MPI_MESSAGE_NULL open_mpi.MESSAGE_NULL
#define MPI_MESSAGE_NO_PROC open_mpi.MESSAGE_NO_PROC
#endif

/* The function that would be called if we were not here. */
#define NEXT(name)                                                                                                     \
  ({                                                                                                                   \
    static __typeof__(&name) next;                                                                                     \
    if (unlikely(next == NULL)) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                     \
    next;                                                                                                              \
  })

/* Open MPI's handles are pointers, MPICH's are ints. */
#define HANDLE(h) ((uintptr_t)(h))

/* ---- Out arguments: what the library leaves alone, so do we ---- */

/*
 * A call that fails may leave a flag, an index or a count as it was, and what was there is the program's and may be
 * anything. So the library writes into a variable of ours that begins with this value, and what it wrote is handed back.
 */
enum { UNTOUCHED = INT_MIN };
static inline void hand_back(int *argument, int value) {
  if (likely(value != UNTOUCHED)) *argument = value;
}

/* Arguments that the library refuses, and that nobody can look at: it gets them as they are. */
static inline bool refused(int count, const MPI_Request *requests, const MPI_Status *status) {
  return unlikely(count < 0 || (count > 0 && requests == NULL) || (status == NULL && MPI_STATUS_IGNORE != NULL));
}

/* ---- say.c ---- */

uint64_t now_nanos(void); /* CLOCK_MONOTONIC, past our own wrappers */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#pragma GCC visibility pop

#endif
