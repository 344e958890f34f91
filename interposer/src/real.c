/* The MPI library's own functions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"

static const char *const symbols[CALL_COUNT] = {
#define CALL(name, class, roles, parameters, arguments) "PMPI_" #name,
#include "calls.def"
#undef CALL
};

void *real_function[CALL_COUNT];

/*
 * Python loads libmpi privately (RTLD_LOCAL), where RTLD_NEXT does not see it; a library that is loaded can still be
 * opened by name. Some programs ask MPI_Initialized before libmpi is there at all, so nothing is cached for them.
 */
static void *find(void *scope, const char *symbol) {
  void *found = dlsym(scope, symbol);
  static const char *const names[] = {"libmpi.so.40",   "libmpi.so.80", "libmpich.so.12", "libmpi.so.12",
                                      "libmpich.so.13", "libmpi.so",    "libmpich.so",    "libmpi.so.20"};
  for (size_t i = 0; found == NULL && i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) continue;
    found = dlsym(library, symbol);
    dlclose(library);
  }
  return found;
}

void *find_in_mpi(const char *symbol) { return find(RTLD_NEXT, symbol); }

/* The program itself may hold libmpi's variables (copy relocation), and then only those are the real ones. */
void *find_variable(const char *symbol) { return find(RTLD_DEFAULT, symbol); }

void *resolve(enum call id) {
  void *found = find_in_mpi(symbols[id]);
  if (found == NULL) {
    complain("the program's MPI library has no %s; recording cannot go on", symbols[id]);
    abort();
  }
  return real_function[id] = found;
}

#ifdef OPEN_MPI
struct open_mpi_handles open_mpi;
#endif

void resolve_all(void) {
#ifdef OPEN_MPI
#define H(type, name, symbol) open_mpi.name = (type)find_variable(#symbol);
  OPEN_MPI_HANDLES(H)
#undef H
#endif
  for (int id = 0; id < CALL_COUNT; id++)
    if (real_function[id] == NULL) real_function[id] = find_in_mpi(symbols[id]);
}
