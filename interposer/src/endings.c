/* Requests that end in other ways, and polls of other things. */
#include "completion.h"
#include "sends.h"

EXPORT int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *end,
                              MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *request) {
  int code = REAL(Grequest_start)(query, end, cancel, state, request);
  if (code == MPI_SUCCESS && rank.mode == REPRISE_REPLAY && !inside())
    request_new(*request, ROLE_GENERALIZED, 0, MPI_COMM_NULL);
  return code;
}
ALSO_AS_PMPI(Grequest_start);

/*
 * Whether a cancel came in time is an outcome of the post. Recorded as cancelled: the receive was posted where nothing
 * matches, and is cancelled for real. Recorded as completed: the cancel came too late, and must again.
 */
EXPORT int MPI_Cancel(MPI_Request *request) {
  if (request == NULL || !enter(CALL_Cancel)) return REAL(Cancel)(request);
  struct request *r = request_of(*request);
  int code = MPI_SUCCESS;
  if (r != NULL) r->cancel_asked = true;
  if (r == NULL || rank.mode != REPRISE_REPLAY || rank.free_run || r->doomed || is_generalized(r))
    code = REAL(Cancel)(r != NULL && r->shadow ? &r->kept : request);
  leave();
  return code;
}
ALSO_AS_PMPI(Cancel);

/* A receive that the program forgets may still take a message from another: it is kept until its outcome is known. */
EXPORT int MPI_Request_free(MPI_Request *request) {
  if (request == NULL || !enter(CALL_Request_free)) return REAL(Request_free)(request);
  struct request *r = request_of(*request);
  int code = MPI_SUCCESS;
  if (r == NULL) {
    code = REAL(Request_free)(request);
  } else if (recording() && r->active && (r->link != NULL || r->cancel_asked)) {
    if (r->shadow) REAL(Request_free)(request); /* what is open is its shadow */
    else r->kept = *request;
    if (r->link == NULL) request_open(r);
    lock();
    request_unname(r);
    unlock();
    *request = MPI_REQUEST_NULL;
  } else {
    bool later = r->active && r->copy != NULL;
    if (later) send_later(r, r->shadow ? r->kept : *request);
    else if (r->shadow) REAL(Request_free)(&r->kept);
    if (r->persistent || !later) code = REAL(Request_free)(request);
    *request = MPI_REQUEST_NULL;
    request_forget(r);
  }
  leave();
  return code;
}
ALSO_AS_PMPI(Request_free);

/* ---- Polls of other things ---- */

#define POLL(name, poll, parameters, arguments, wait_for_it)                                                           \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (flag == NULL || !enter(CALL_##name)) return REAL(name) arguments;                                              \
    struct outcome o, error;                                                                                           \
    int code = MPI_SUCCESS;                                                                                            \
    switch (replaying() ? plan_poll(CALL_##name, KIND(REPRISE_HIT), poll, &o) : POLL_FREE) {                           \
      case POLL_FALSE:                                                                                                 \
        *flag = 0;                                                                                                     \
        break;                                                                                                         \
      case POLL_TRUE:                                                                                                  \
        if (plan_error(&error)) {                                                                                      \
          code = REAL(name) arguments;                                                                                 \
        } else {                                                                                                       \
          wait_for_it;                                                                                                 \
          *flag = 1;                                                                                                   \
        }                                                                                                              \
        keep_hit(poll, code, 0, NULL);                                                                                 \
        break;                                                                                                         \
      case POLL_FREE:                                                                                                  \
        code = REAL(name) arguments;                                                                                   \
        if (code == MPI_SUCCESS && !*flag) order_poll_failed();                                                        \
        else keep_hit(poll, code, 0, NULL);                                                                            \
    }                                                                                                                  \
    leave();                                                                                                           \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

POLL(Win_test, REPRISE_WIN_TEST, (MPI_Win win, int *flag), (win, flag), code = REAL(Win_wait)(win))
#if MPI_VERSION >= 4
POLL(Parrived, REPRISE_PARRIVED, (MPI_Request request, int partition, int *flag), (request, partition, flag),
     do code = REAL(Parrived)(request, partition, flag); while (code == MPI_SUCCESS && !*flag))
#endif
