/* What a message was: the same on every MPI. */
#ifndef REPRISE_MESSAGE_H
#define REPRISE_MESSAGE_H

#include "calls.h"

static inline uint64_t status_bytes(const MPI_Status *status) {
#if defined(OPEN_MPI)
  return status->_ucount;
#elif defined(MPICH)
  return (uint64_t)(unsigned)status->count_lo | (uint64_t)((unsigned)status->count_hi_and_cancelled >> 1) << 32;
#else
  MPI_Count n = 0;
  REAL(Get_elements_x)(status, MPI_BYTE, &n);
  return (uint64_t)n;
#endif
}

static inline uint64_t source_and_tag(const MPI_Status *status) {
  return (uint64_t)(uint32_t)status->MPI_SOURCE << 32 | (uint32_t)status->MPI_TAG;
}

/* Whether a receive that returned this took its message nevertheless. */
static inline bool took_message(int code) {
  if (likely(code == MPI_SUCCESS)) return true;
  int class = MPI_SUCCESS;
  REAL(Error_class)(code, &class);
  return class == MPI_ERR_TRUNCATE;
}

#endif
