/* The generated wrappers: calls whose outcome follows from the program, or that are passed through. */
#include "rank.h"

#define GENERATED(name, roles, parameters, arguments)                                                                  \
  EXPORT int MPI_##name parameters {                                                                                   \
    bool ours = enter(CALL_##name);                                                                                    \
    int code = REAL(name) arguments;                                                                                   \
    if (ours) leave();                                                                                                 \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#define WRAP_DETERMINISTIC GENERATED
#define WRAP_PASSED GENERATED
#define WRAP_REFUSED GENERATED
#include "wrappers.inc"
