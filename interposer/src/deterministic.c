/* The generated wrappers: calls whose outcome follows from the program, or that are passed through. */
#include "reprise.h"

#define GENERATED(name, parameters, arguments)                                                                         \
  EXPORT int MPI_##name parameters {                                                                                   \
    bool ours = enter(CALL_##name);                                                                                    \
    int code = REAL(name) arguments;                                                                                   \
    if (ours) leave();                                                                                                 \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#define WRAP_LOCAL(name, parameters, arguments)
#define WRAP_LIFE(name, parameters, arguments)
#define WRAP_RECORDED(name, parameters, arguments)
#define WRAP_RECORDED_4(name, parameters, arguments)
#define WRAP_SENT(name, parameters, arguments)
#define WRAP_SENT_4(name, parameters, arguments)
#define WRAP_COMMUNICATOR(name, parameters, arguments)
#define WRAP_COMMUNICATOR_4(name, parameters, arguments)
#define WRAP_DETERMINISTIC GENERATED
#define WRAP_PASSED GENERATED
#define WRAP_REFUSED GENERATED
#if MPI_VERSION >= 4
#define WRAP_DETERMINISTIC_4 GENERATED
#define WRAP_PASSED_4 GENERATED
#define WRAP_REFUSED_4 GENERATED
#else
#define WRAP_DETERMINISTIC_4(name, parameters, arguments)
#define WRAP_PASSED_4(name, parameters, arguments)
#define WRAP_REFUSED_4(name, parameters, arguments)
#endif

#define CALL(name, class, roles, parameters, arguments) WRAP_##class(name, parameters, arguments)
#include "calls.def"
#undef CALL
