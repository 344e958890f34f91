/* Waitany, Waitsome, Testany, Testsome: which requests they complete is recorded and forced. */
#include "completion.h"

/* ---- Any of them ---- */

static void any_completed(MPI_Request *requests, MPI_Request *live, int index, MPI_Status *status, int code) {
  if (index == UNTOUCHED) index = MPI_UNDEFINED; /* the call failed before it looked for one */
  if (recording()) order_index(index);
  keep_error(code, 0, NULL);
  if (index == MPI_UNDEFINED) return;
  hash_event(REPRISE_INDEX, (uint64_t)index);
  completed_at(index, &requests[index], live[index], status);
}

/* False: the recorded request is not there, the program has left the recorded run. */
static bool fits(enum call id, const struct outcome *o, int64_t index, int count, const MPI_Request *requests) {
  if (index >= 0 && index < count && requests[index] != MPI_REQUEST_NULL) return true;
  plan_diverged(REPRISE_OTHER_REQUESTS, id, o, count, index);
  return false;
}

/* Nothing was active, or the call failed before it looked: it is made again as it is, and says so again. */
static bool nothing_completed(const struct outcome *o) {
  struct outcome error;
  if (o->first != 0) return false;
  plan_error(&error);
  return true;
}

/* False: the library is asked. */
static bool finish_any(enum call id, const struct outcome *o, int count, MPI_Request *requests, int *index,
                       MPI_Status *status, int *code) {
  if (nothing_completed(o) || !fits(id, o, o->first - 1, count, requests)) return false;
  int chosen = (int)o->first - 1;
  hash_event(REPRISE_INDEX, (uint64_t)chosen);
  MPI_Request live = ready(requests[chosen], false);
  hold(1, &requests[chosen]);
  *code = recorded_code(REAL(Waitany)(1, &live, index, status), NULL);
  *index = chosen;
  if (recording()) order_index(chosen);
  keep_error(*code, 0, NULL);
  completed_at(0, &requests[chosen], live, status);
  return true;
}

EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (refused(count, requests, status) || index == NULL || !enter(CALL_Waitany))
    return REAL(Waitany)(count, requests, index, status);
  note_requests(count, requests);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS, chosen = UNTOUCHED;
  if (!(replaying() && plan_take(CALL_Waitany, KIND(REPRISE_INDEX), &o, count, 0) &&
        finish_any(CALL_Waitany, &o, count, requests, index, status, &code))) {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Waitany)(count, live, &chosen, status);
    hand_back(index, chosen);
    any_completed(requests, live, chosen, status, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Waitany);

EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (refused(count, requests, status) || index == NULL || flag == NULL || !enter(CALL_Testany))
    return REAL(Testany)(count, requests, index, flag, status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS, chosen = UNTOUCHED;
  enum poll_fate fate = replaying() ? plan_poll(CALL_Testany, KIND(REPRISE_INDEX), 0, &o) : POLL_FREE;
  if (fate == POLL_FALSE) {
    *flag = 0;
    *index = MPI_UNDEFINED;
  } else if (fate == POLL_TRUE && finish_any(CALL_Testany, &o, count, requests, index, status, &code)) {
    *flag = 1;
  } else {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Testany)(count, live, &chosen, flag, status);
    hand_back(index, chosen);
    if (code == MPI_SUCCESS && !*flag) order_poll_failed();
    else any_completed(requests, live, chosen, status, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Testany);

/* ---- Some of them ---- */

static void keep_indices(int done, const int *indices, int code, const MPI_Status *statuses) {
  if (recording()) order_indices(done, indices);
  keep_error(code, code == MPI_ERR_IN_STATUS && done != MPI_UNDEFINED ? done : 0, statuses);
}

static void some_completed(MPI_Request *requests, MPI_Request *live, int done, const int *indices, MPI_Status *statuses,
                           int code) {
  if (done == UNTOUCHED) done = MPI_UNDEFINED; /* the call failed before it looked for any */
  keep_indices(done, indices, code, statuses);
  if (done == MPI_UNDEFINED) return;
  if (done > 1) close_together(done, indices, requests);
  for (int i = 0; i < done; i++) {
    hash_event(REPRISE_INDICES, (uint64_t)indices[i]);
    completed_at(indices[i], &requests[indices[i]], live[indices[i]], &statuses[i]);
  }
}

static bool finish_some(enum call id, const struct outcome *o, int count, MPI_Request *requests, int *done,
                        int *indices, MPI_Status *statuses, int *code) {
  if (nothing_completed(o)) return false;
  MPI_Request *live = live_requests_slow(count, requests);
  const uint8_t *p = o->rest;
  int chosen = (int)o->first - 1, finished = 0;
  for (int i = 0; i < chosen; i++) {
    uint64_t index = 0;
    p = get_number(p, p + 10, &index);
    if (i >= count || !fits(id, o, (int64_t)index, count, requests)) return false;
    indices[i] = (int)index;
  }
  for (int i = 0; i < chosen; i++) live[i] = ready(requests[indices[i]], false);
  int *positions = take_memory(((size_t)chosen + 1) * sizeof *positions);
  hold(count, requests);
  *code = REAL(Waitsome)(chosen, live, &finished, positions, statuses);
  give_memory(positions);
  *code = recorded_code(*code, statuses);
  keep_indices(chosen, indices, *code, statuses);
  if (chosen > 1) close_together(chosen, indices, requests);
  for (int i = 0; i < chosen; i++) {
    hash_event(REPRISE_INDICES, (uint64_t)indices[i]);
    completed_at(indices[i], &requests[indices[i]], live[i], &statuses[i]);
  }
  let_go(count);
  *done = chosen;
  return true;
}

EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || done == NULL || (count > 0 && indices == NULL) || !enter(CALL_Waitsome))
    return REAL(Waitsome)(count, requests, done, indices, statuses);
  note_requests(count, requests);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  struct outcome o;
  int code = MPI_SUCCESS, found = UNTOUCHED;
  if (!(replaying() && plan_take(CALL_Waitsome, KIND(REPRISE_INDICES), &o, count, 0) &&
        finish_some(CALL_Waitsome, &o, count, requests, done, indices, statuses, &code))) {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Waitsome)(count, live, &found, indices, statuses);
    hand_back(done, found);
    some_completed(requests, live, found, indices, statuses, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Waitsome);

/* Hot: bench/testsome. */
EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || done == NULL || (count > 0 && indices == NULL) || !enter(CALL_Testsome))
    return REAL(Testsome)(count, requests, done, indices, statuses);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  struct outcome o;
  int code = MPI_SUCCESS, found = UNTOUCHED;
  enum poll_fate fate = replaying() ? plan_poll(CALL_Testsome, KIND(REPRISE_INDICES), 0, &o) : POLL_FREE;
  if (fate == POLL_FALSE) {
    *done = 0;
  } else if (fate != POLL_TRUE || !finish_some(CALL_Testsome, &o, count, requests, done, indices, statuses, &code)) {
    MPI_Request few[FEW], *live = live_requests(count, requests, few);
    hold(count, requests);
    code = REAL(Testsome)(count, live, &found, indices, statuses);
    hand_back(done, found);
    if (code == MPI_SUCCESS && found == 0) order_poll_failed();
    else some_completed(requests, live, found, indices, statuses, code);
    let_go(count);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Testsome);
