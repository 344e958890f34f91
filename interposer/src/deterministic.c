/* The generated wrappers: calls whose outcome follows from the program, or that are passed through. */
#include "watch.h"

/* A parameter that a call does not have is one of these; one that it has stands before it. */
static const MPI_Comm comm;
static MPI_Request *const request;
enum { root = -1 };

/* A collective that is waited for is noted before, one that begins a request when there is one. */
#define GENERATED(name, roles, parameters, arguments)                                                                  \
  EXPORT int MPI_##name parameters {                                                                                   \
    bool ours = enter(CALL_##name), watched = ((roles) & COLLECTIVE) != 0 && ours && unlikely(is_watched());           \
    if (watched && request == NULL) watch_collective(CALL_##name, root, comm, NULL);                                   \
    int code = REAL(name) arguments;                                                                                   \
    if (watched && request != NULL && code == MPI_SUCCESS) watch_collective(CALL_##name, root, comm, request);         \
    if (ours) leave();                                                                                                 \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#define WRAP_DETERMINISTIC GENERATED
#define WRAP_PASSED GENERATED
#define WRAP_REFUSED GENERATED
#include "wrappers.inc"
