/* Wait and Test of one request and of all requests of an array. */
#include "completion.h"
#include "sends.h"

/* ---- One request ---- */

static __attribute__((noinline)) int wait_slow(MPI_Request *request, MPI_Status *status) {
  if (refused(1, request, status) || !enter(CALL_Wait)) return REAL(Wait)(request, status);
  note_requests(1, request);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  int code = MPI_SUCCESS, done = 0;
  MPI_Request live = *request;
  bool in_replay = waiting_in_replay();
  if (in_replay && is_light_send(live)) code = REAL(Test)(&live, &done, status); /* most have left long ago */
  if (!done) {
    live = in_replay ? ready(*request, true) : live_request(*request);
    hold(1, request);
    code = REAL(Wait)(&live, status);
  }
  completed_at(0, request, live, status);
  leave();
  return code;
}

/* Hot: bench/run self-loop. A send's completion is no outcome. */
EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (unlikely(requests_named != 0 || !enter_quick(CALL_Wait))) return wait_slow(request, status);
  int code = REAL_NOW(Wait)(request, status);
  leave_quick();
  return code;
}
ALSO_AS_PMPI(Wait);

EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (refused(1, request, status) || flag == NULL || !enter(CALL_Test)) return REAL(Test)(request, flag, status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS;
  switch (replaying() ? plan_poll(CALL_Test, KIND(REPRISE_HIT), REPRISE_TEST, &o) : POLL_FREE) {
    case POLL_FALSE:
      *flag = 0;
      break;
    case POLL_TRUE: {
      MPI_Request live = ready(*request, false);
      hold(1, request);
      *flag = 0;
      do code = REAL(Test)(&live, flag, status); while (code == MPI_SUCCESS && !*flag);
      code = recorded_code(code, NULL);
      keep_hit(REPRISE_TEST, code, 0, NULL);
      completed_at(0, request, live, status);
      break;
    }
    case POLL_FREE: {
      MPI_Request live = live_request(*request);
      int done = UNTOUCHED;
      hold(1, request);
      code = REAL(Test)(&live, &done, status);
      hand_back(flag, done);
      if (code == MPI_SUCCESS && !done) {
        let_go(1);
        order_poll_failed();
        break;
      }
      keep_hit(REPRISE_TEST, code, 0, NULL);
      if (done > 0) completed_at(0, request, live, status);
      else let_go(1);
    }
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Test);

EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  if (refused(0, NULL, status) || flag == NULL || !enter(CALL_Request_get_status))
    return REAL(Request_get_status)(request, flag, status);
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct outcome o;
  int code = MPI_SUCCESS;
  struct request *r = request_of(request);
  MPI_Request live = r != NULL && r->shadow ? r->kept : request;
  switch (replaying() ? plan_poll(CALL_Request_get_status, KIND(REPRISE_HIT), REPRISE_GET_STATUS, &o) : POLL_FREE) {
    case POLL_FALSE:
      *flag = 0;
      break;
    case POLL_TRUE:
      if (r != NULL && r->copy != NULL && !send_is_done(live, false)) { /* a send from a copy is as good as done */
        REAL(Isend)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &live);
        code = REAL(Wait)(&live, status);
        *flag = 1;
      } else {
        live = ready(request, false);
        *flag = 0;
        do code = REAL(Request_get_status)(live, flag, status); while (code == MPI_SUCCESS && !*flag);
      }
      keep_hit(REPRISE_GET_STATUS, MPI_SUCCESS, 0, NULL);
      break;
    case POLL_FREE:
      code = REAL(Request_get_status)(live, flag, status);
      if (code == MPI_SUCCESS && !*flag) order_poll_failed();
      else keep_hit(REPRISE_GET_STATUS, MPI_SUCCESS, 0, NULL);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Request_get_status);

/* ---- All of them ---- */

/* After a failure only some are complete; the library says which. */
static void all_completed(int count, MPI_Request *requests, MPI_Request *live, MPI_Status *statuses, int code) {
  if (code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS) close_together(count, NULL, requests);
  for (int i = 0; i < count; i++) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    if (code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR != MPI_ERR_PENDING))
      completed_at(i, &requests[i], live[i], &statuses[i]);
  }
  let_go(count);
}

static bool any_receive(int count, const MPI_Request *requests) {
  for (int i = 0; i < count; i++) {
    if (is_light_send(requests[i])) continue;
    struct request *r = request_of(requests[i]);
    if (r != NULL && (r->role == ROLE_RECEIVE || r->cancel_asked)) return true;
  }
  return false;
}

/* Replay: receives first, all together; then sends, which may have to be put off. */
static MPI_Request *all_ready(int count, const MPI_Request *requests, bool patiently) {
  MPI_Request *live = live_requests_slow(count, requests);
  for (int sends = 0; sends <= 1; sends++)
    for (int i = 0; i < count; i++) {
      struct request *r = request_of(requests[i]);
      if ((r != NULL && r->copy != NULL) == sends) live[i] = ready(requests[i], patiently);
    }
  return live;
}

EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || !enter(CALL_Waitall)) return REAL(Waitall)(count, requests, statuses);
  note_requests(count, requests);
  if (statuses == MPI_STATUSES_IGNORE && any_receive(count, requests)) statuses = status_room(count);
  MPI_Request few[FEW];
  MPI_Request *live = waiting_in_replay() ? all_ready(count, requests, true) : live_requests(count, requests, few);
  hold(count, requests);
  int code = REAL(Waitall)(count, live, statuses);
  all_completed(count, requests, live, statuses == MPI_STATUSES_IGNORE ? status_room(count) : statuses, code);
  leave();
  return code;
}
ALSO_AS_PMPI(Waitall);

EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (refused(count, requests, statuses) || flag == NULL || !enter(CALL_Testall))
    return REAL(Testall)(count, requests, flag, statuses);
  if (statuses == MPI_STATUSES_IGNORE) statuses = status_room(count);
  struct outcome o;
  int code = MPI_SUCCESS;
  switch (replaying() ? plan_poll(CALL_Testall, KIND(REPRISE_HIT), REPRISE_TESTALL, &o) : POLL_FREE) {
    case POLL_FALSE:
      *flag = 0;
      break;
    case POLL_TRUE: {
      MPI_Request *live = all_ready(count, requests, false);
      hold(count, requests);
      int now;
      *flag = 0;
      do now = REAL(Testall)(count, live, flag, statuses); while (now == MPI_SUCCESS && !*flag);
      code = recorded_code(now, statuses);
      keep_hit(REPRISE_TESTALL, code, code == MPI_ERR_IN_STATUS ? count : 0, statuses);
      all_completed(count, requests, live, statuses, now);
      break;
    }
    case POLL_FREE: {
      MPI_Request few[FEW], *live = live_requests(count, requests, few);
      hold(count, requests);
      code = REAL(Testall)(count, live, flag, statuses);
      if (code == MPI_SUCCESS && !*flag) {
        let_go(count);
        order_poll_failed();
        break;
      }
      keep_hit(REPRISE_TESTALL, code, code == MPI_ERR_IN_STATUS ? count : 0, statuses);
      all_completed(count, requests, live, statuses, code);
    }
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Testall);
