/*
 * From which size on a standard send completes only because of its receive: what a replay may then wait for, as the
 * recording did (see sends.c). Only a library whose protocol is known for certain says so.
 *
 * Open MPI with its PML ob1 sends by rendezvous what is not shorter than the eager limit of the transport, less a header;
 * so the largest limit of all transports holds for every destination.
 *
 * MPICH on UCX hands every message to UCX, which decides for each endpoint. What it decides it tells in a text about the
 * endpoint; so endpoints are looked at as they are created. Data with gaps has another limit, of which nothing is told.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "sends.h"

#ifdef OPEN_MPI
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

bool rendezvous_is_known_of(MPI_Datatype type) {
  (void)type;
  return true;
}
#else
/* The largest limit of all endpoints; 0 if that of one is not known. */
static uint64_t largest_limit;
static bool unknown_limit;

/*
 * "tag_send: 0..<egr/short>..93..<egr/bcopy>..8256..<rndv>..(inf)": 8256. A table in frames besides says that messages are
 * sent by UCX's second set of protocols, which do not go by these numbers.
 */
static uint64_t limit_in(const char *text) {
  static const char line_begin[] = " tag_send: ", rendezvous[] = "..<rndv>..(inf)";
  const char *line = strstr(text, line_begin);
  if (line == NULL || strstr(text, "+--") != NULL) return 0;
  const char *end = strstr(line, rendezvous), *line_end = strchr(line, '\n');
  if (end == NULL || line_end == NULL || end > line_end) return 0;
  const char *digits = end;
  while (digits[-1] >= '0' && digits[-1] <= '9') digits--;
  return strtoull(digits, NULL, 10);
}

static uint64_t limit_of(void *endpoint) {
  void (*print)(const void *, FILE *) = (__typeof__(print))find_in_mpi("ucp_ep_print_info");
  char *text = NULL;
  size_t bytes = 0;
  FILE *stream = print == NULL ? NULL : open_memstream(&text, &bytes);
  if (stream == NULL) return 0;
  print(endpoint, stream);
  uint64_t limit = fclose(stream) == 0 ? limit_in(text) : 0;
  free(text);
  return limit;
}

/* UCX's own, called by MPICH in MPI_Init, and for processes that it is connected with later. A status is one byte. */
enum { UNSUPPORTED = -22 };

EXPORT signed char ucp_ep_create(void *worker, const void *parameters, void **endpoint) {
  signed char (*real)(void *, const void *, void **) = (__typeof__(real))find_in_mpi("ucp_ep_create");
  if (real == NULL) return UNSUPPORTED; /* cannot be: whoever calls it has loaded it */
  signed char status = real(worker, parameters, endpoint);
  if (status != 0 || mode_from_environment() != REPRISE_RECORD) return status;
  uint64_t limit = limit_of(*endpoint);
  if (limit == 0) unknown_limit = true;
  if (limit > largest_limit) largest_limit = limit;
  return status;
}

/* MPICH on UCX sends nothing past it; libraries made of MPICH may take another way between ranks of one host. */
static bool sends_by_ucx(void) {
  static const char name[] = "MPICH Version:";
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  __typeof__(&PMPI_Get_library_version) get = (__typeof__(get))find_in_mpi("PMPI_Get_library_version");
  return get != NULL && get(version, &length) == MPI_SUCCESS && strncmp(version, name, sizeof name - 1) == 0 &&
         strstr(version, "ch4:ucx") != NULL;
}

uint64_t rendezvous_bytes(void) { return unknown_limit || !sends_by_ucx() ? 0 : largest_limit; }

bool rendezvous_is_known_of(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  REAL(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}
#endif
