// MPICH's ranks wait without giving way, and there are more of them than processors: most of a test's time would go
// into waiting for the time slice of somebody who only waits. Linked into the programs for MPICH, this yields wherever
// nothing was to be done, as Open MPI does when it is told to.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned progress_function(void *worker);

static progress_function *progress;

__attribute__((constructor)) static void find_progress(void) {
  progress = (progress_function *)dlsym(RTLD_NEXT, "ucp_worker_progress");
}

// MPICH polls with this function of UCX, which tells how much there was to do.
unsigned ucp_worker_progress(void *worker) {
  unsigned done = progress(worker);
  if (done == 0) {
    sched_yield();
  }
  return done;
}
