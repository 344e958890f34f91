/* Which rank a process will be, as its launcher says it: known before MPI_Init. */
#ifndef REPRISE_LAUNCHED_H
#define REPRISE_LAUNCHED_H

#include <stdlib.h>

/* NULL: nobody says it. */
static inline const char *rank_from_environment(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                      "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value != NULL && *value != 0) return value;
  }
  return NULL;
}

#endif
