/*
 * From which size on a standard send completes only because of its receive: what a replay may then wait for, as the
 * recording did (see sends.c). Only a library whose protocol is known for certain says so: Open MPI with its PML ob1.
 * That sends by rendezvous what is not shorter than the eager limit of the transport, less a header; so the largest limit of
 * all transports holds for every destination.
 */
#include "sends.h"

#ifdef OPEN_MPI
#include <dlfcn.h>

static bool is_eager_limit(const char *name) {
  static const char begin[] = "btl_", end[] = "_eager_limit";
  size_t length = strlen(name);
  return length > sizeof begin + sizeof end && strstr(name, "_rndv_") == NULL && strncmp(name, begin, sizeof begin - 1) == 0 &&
         strcmp(name + length - (sizeof end - 1), end) == 0;
}

/* The variable begins with a function of the PML that was chosen. */
static bool sends_by_ob1(void) {
  void *const *pml = find_variable("mca_pml");
  Dl_info place;
  return pml != NULL && *pml != NULL && dladdr(*pml, &place) != 0 &&
         ((place.dli_fname != NULL && strstr(place.dli_fname, "mca_pml_ob1") != NULL) ||
          (place.dli_sname != NULL && strncmp(place.dli_sname, "mca_pml_ob1", 11) == 0));
}

#define TOOL(name) __typeof__(&PMPI_T_##name) name = (__typeof__(name))find_in_mpi("PMPI_T_" #name)

uint64_t rendezvous_bytes(void) {
  TOOL(init_thread);
  TOOL(finalize);
  TOOL(cvar_get_num);
  TOOL(cvar_get_info);
  TOOL(cvar_handle_alloc);
  TOOL(cvar_handle_free);
  TOOL(cvar_read);
  int provided, count = 0;
  uint64_t largest = 0;
  if (!sends_by_ob1() || init_thread == NULL || finalize == NULL || cvar_get_num == NULL || cvar_get_info == NULL ||
      cvar_handle_alloc == NULL || cvar_handle_free == NULL || cvar_read == NULL)
    return 0;
  if (init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 0;
  cvar_get_num(&count);
  for (int i = 0; i < count; i++) {
    char name[128];
    int room = sizeof name, verbosity, binding, scope, values = 0;
    MPI_Datatype type;
    MPI_T_cvar_handle handle;
    if (cvar_get_info(i, name, &room, &verbosity, &type, NULL, NULL, NULL, &binding, &scope) != MPI_SUCCESS ||
        !is_eager_limit(name))
      continue;
    uint64_t limit[2] = {0}; /* an unsigned of four bytes, or a size_t */
    if (cvar_handle_alloc(i, NULL, &handle, &values) != MPI_SUCCESS) continue;
    if (values == 1 && cvar_read(handle, limit) == MPI_SUCCESS && limit[0] > largest) largest = limit[0];
    cvar_handle_free(&handle);
  }
  finalize();
  return largest;
}
#else
uint64_t rendezvous_bytes(void) { return 0; }
#endif
