/* Answers to the library of events, which has no state of the recorder's own. */
#include <stdlib.h>

#include "observed.h"

#include "comms.h"
#include "patience.h"
#include "plan.h"
#include "sends.h"

const struct reprise_header *reprise_rank_header(void) {
  return rank.mode == REPRISE_RECORD || rank.mode == REPRISE_REPLAY ? &trace : NULL;
}

uint64_t reprise_comm_id(MPI_Comm comm) { return comm_id(comm); }

int reprise_thread(void) { return self.thread; }

int64_t reprise_eager_bytes(void) { return rank.eager_bytes; }

void reprise_own_doing(bool begins) { self.busy += begins ? 1 : -1; }

enum reprise_fate reprise_fate(uint64_t post, int *source, int *tag) {
  const char *run = getenv(REPRISE_ENV_RUN);
  switch (run == NULL ? FATE_UNKNOWN : plan_fate(run, post, source, tag)) {
    case FATE_MATCH: case FATE_MATCH_TAG: return REPRISE_FATE_MATCHED;
    case FATE_NEVER: return REPRISE_FATE_UNMATCHED;
    default: return REPRISE_FATE_UNKNOWN;
  }
}

bool reprise_follows(void) {
  return recording() || (!rank.free_run && (trace.mode != REPRISE_REPLAY || !plan_beyond_end()));
}

void reprise_deliver(void) {
  if (inside()) return;
  self.depth = 1;
  drive_progress();
  sends_drain(false);
  self.depth = 0;
}
