/* Probes see a message; matched probes take it, for the Mrecv that follows. */
#include "events.h"

static struct map messages; /* by handle: the number of the MPROBE */

bool message_taken(MPI_Message message, uint64_t *probe) {
  uint64_t *known = map_remove(&messages, HANDLE(message), NULL);
  if (known == NULL) return false;
  *probe = *known;
  give_memory(known);
  return true;
}

static void message_found(MPI_Message message) {
  uint64_t *number = map_get(&messages, HANDLE(message));
  if (number == NULL) map_put(&messages, HANDLE(message), number = take_memory(sizeof *number));
  *number = event_count;
}

/* A message was seen; by a matched probe, whose handle this is, it was also taken. */
static void seen(const struct watched *call, unsigned flags, int code, int source, int tag, MPI_Comm comm,
                 const MPI_Message *message, const MPI_Status *status) {
  uint32_t index = code == MPI_SUCCESS && source != MPI_PROC_NULL ? comm_index(comm) : FOREIGN;
  unsigned pattern =
      (source == MPI_ANY_SOURCE ? REPRISE_EVF_ANY_SOURCE : 0) | (tag == MPI_ANY_TAG ? REPRISE_EVF_ANY_TAG : 0);
  if (index == FOREIGN) {
    event_failed(call, source == MPI_PROC_NULL || (flags & REPRISE_EVF_POLL) ? 0 : pattern);
    return;
  }
  flags |= pattern;
  if (message != NULL) message_found(*message);
  event_put(call,
            event_of(call, message != NULL ? REPRISE_EV_MPROBE : REPRISE_EV_PROBE, flags, status->MPI_SOURCE,
                     status->MPI_TAG, index),
            status_bytes(status));
}

EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  if (refused(0, NULL, status) || !watch()) return REAL(Probe)(source, tag, comm, status);
  struct watched call = BEGUN(CALL_Probe);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int code = REAL(Probe)(source, tag, comm, status);
  RETURNED(call);
  seen(&call, 0, code, source, tag, comm, NULL, status);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Probe);

EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  if (refused(0, NULL, status) || !watch()) return REAL(Mprobe)(source, tag, comm, message, status);
  struct watched call = BEGUN(CALL_Mprobe);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int code = REAL(Mprobe)(source, tag, comm, message, status);
  RETURNED(call);
  seen(&call, 0, code, source, tag, comm, message, status);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Mprobe);

EXPORT int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  if (refused(0, NULL, status) || flag == NULL || !watch()) return REAL(Iprobe)(source, tag, comm, flag, status);
  struct watched call = BEGUN(CALL_Iprobe);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int code = REAL(Iprobe)(source, tag, comm, flag, status);
  RETURNED(call);
  if (code == MPI_SUCCESS && !*flag) poll_failed(call, (struct asked){.source = source, .tag = tag, .comm = comm});
  else seen(&call, REPRISE_EVF_POLL, code, source, tag, comm, NULL, status);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Iprobe);

EXPORT int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  if (refused(0, NULL, status) || flag == NULL || !watch())
    return REAL(Improbe)(source, tag, comm, flag, message, status);
  struct watched call = BEGUN(CALL_Improbe);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int code = REAL(Improbe)(source, tag, comm, flag, message, status);
  RETURNED(call);
  if (code == MPI_SUCCESS && !*flag) poll_failed(call, (struct asked){.source = source, .tag = tag, .comm = comm});
  else seen(&call, REPRISE_EVF_POLL, code, source, tag, comm, message, status);
  unwatch();
  return code;
}
ALSO_AS_PMPI(Improbe);
