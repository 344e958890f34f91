/* Wait, Test and their families. */
#include "restore.h"

/* ---- What the library has completed ---- */

static void completed(MPI_Request before, const MPI_Status *status) {
  struct operation *one = operation_of(before);
  if (one == NULL) return;
  if (one->kind == IS_COLLECTIVE && !one->done) result_keep(&one->result, MPI_SUCCESS);
  int cancelled = 0;
  if (one->kind == IS_RECEIVE && one->active && !one->nobody && one->number == UINT64_MAX) {
    LIB(Test_cancelled)(status, &cancelled);
    const struct comm *comm = comm_of(one->comm);
    if (!cancelled && status->MPI_SOURCE >= 0)
      channel_received(comm->id, world_of(comm, status->MPI_SOURCE), status->MPI_TAG)->key.number++;
  }
  receive_closed(one);
  one->active = false;
  if (!one->persistent) operation_end(one);
}

static MPI_Request *before_call(int count, const MPI_Request *requests) {
  static MPI_Request *room;
  static int size;
  if (count > size || room == NULL) {
    give_memory(room);
    room = take_memory(((size_t)count + 1) * sizeof *room);
    size = count;
  }
  if (count > 0) memcpy(room, requests, (size_t)count * sizeof *room);
  return room;
}

static MPI_Status *statuses_for(int count, MPI_Status *given) {
  static MPI_Status *room;
  static int size;
  if (given != MPI_STATUSES_IGNORE) return given;
  if (count > size || room == NULL) {
    give_memory(room);
    room = take_memory(((size_t)count + 1) * sizeof *room);
    size = count;
  }
  return room;
}

static void all_completed(int count, const MPI_Request *before, const MPI_Status *statuses, int code) {
  for (int i = 0; i < count; i++)
    if (code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR != MPI_ERR_PENDING))
      completed(before[i], &statuses[i]);
}

/* ---- What a restored rank completes ---- */

static bool is_done(MPI_Request request) {
  const struct operation *one = operation_of(request);
  return one == NULL || !one->active || one->done || one->kind != IS_RECEIVE;
}

/* Null, or persistent and not started: completion calls that choose pass it over. */
static bool is_idle(MPI_Request request) {
  const struct operation *one = operation_of(request);
  return request == MPI_REQUEST_NULL || (one != NULL && one->persistent && !one->active);
}

static void describe(const struct operation *one, MPI_Status *status) {
  if (one == NULL || !one->active || one->kind != IS_RECEIVE) set_empty_status(status);
  else if (one->nobody) set_nobody_status(status);
  else if (one->cancelled) set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
  else set_status(status, one->source, one->got_tag, one->bytes, false);
}

static void take_result(struct operation *one) {
  if (one == NULL || one->kind != IS_COLLECTIVE || one->done) return;
  result_take(&one->result);
  one->done = true;
}

static void finish(MPI_Request *request, MPI_Status *status) {
  struct operation *one = operation_of(*request);
  take_result(one);
  describe(one, status);
  if (one != NULL && one->persistent) {
    one->active = false;
    return;
  }
  if (one != NULL) operation_end(one);
  *request = MPI_REQUEST_NULL;
}

static void await(MPI_Request request) {
  while (!is_done(request)) hub_pump(-1);
}

/* A poll that did not get anything takes its time: whoever polls again has nothing else to do. */
enum { POLL_MILLIS = 1 };

static MPI_Status *at(MPI_Status *statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/* Where several are reported at once, Open MPI writes the error, too. */
static void told_together(int count, MPI_Status *statuses) {
#ifdef OPEN_MPI
  for (int i = 0; statuses != MPI_STATUSES_IGNORE && i < count; i++) statuses[i].MPI_ERROR = MPI_SUCCESS;
#else
  (void)count;
  (void)statuses;
#endif
}

static int first_done(int count, const MPI_Request *requests, bool *any) {
  *any = false;
  for (int i = 0; i < count; i++) {
    if (is_idle(requests[i])) continue;
    *any = true;
    if (is_done(requests[i])) return i;
  }
  return MPI_UNDEFINED;
}

static int some_done(int count, MPI_Request *requests, int *indices, MPI_Status *statuses, bool *any) {
  int found = 0;
  *any = false;
  for (int i = 0; i < count; i++) {
    if (is_idle(requests[i])) continue;
    *any = true;
    if (!is_done(requests[i])) continue;
    finish(&requests[i], at(statuses, found));
    indices[found++] = i;
  }
  told_together(found, statuses);
  return found;
}

/* ---- The calls ---- */

EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (!serves()) return LIB(Wait)(request, status);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    reprise_stay_inside();
    await(*request);
    finish(request, status);
  } else {
    MPI_Status own;
    MPI_Request before = *request;
    if (status == MPI_STATUS_IGNORE) status = &own;
    code = LIB(Wait)(request, status);
    completed(before, status);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Wait);

EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (!serves()) return LIB(Test)(request, flag, status);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    if (!is_done(*request)) hub_pump(POLL_MILLIS);
    *flag = is_done(*request);
    if (*flag) finish(request, status);
  } else {
    MPI_Status own;
    MPI_Request before = *request;
    if (status == MPI_STATUS_IGNORE) status = &own;
    code = LIB(Test)(request, flag, status);
    if (code == MPI_SUCCESS && *flag) completed(before, status);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Test);

/* What it reported is received, though the request stays: a checkpoint behind it has the data already. */
EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  if (!serves()) return LIB(Request_get_status)(request, flag, status);
  depth = 1;
  int code = MPI_SUCCESS;
  struct operation *one = operation_of(request);
  if (restored) {
    if (!is_done(request)) {
      reprise_stay_inside();
      hub_pump(POLL_MILLIS);
    }
    *flag = is_done(request);
    if (*flag) {
      take_result(one);
      describe(one, status);
    }
  } else {
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    code = LIB(Request_get_status)(request, flag, status);
    if (code == MPI_SUCCESS && *flag && one != NULL && one->kind == IS_RECEIVE && one->active && !one->done) {
      int cancelled = 0;
      LIB(Test_cancelled)(status, &cancelled);
      one->done = true;
      one->cancelled = cancelled;
      one->source = status->MPI_SOURCE;
      one->got_tag = status->MPI_TAG;
      MPI_Count bytes = 0;
      LIB(Get_elements_x)(status, MPI_BYTE, &bytes);
      one->bytes = (uint64_t)bytes;
      receive_closed(one);
    }
    if (code == MPI_SUCCESS && *flag && one != NULL && one->kind == IS_COLLECTIVE && !one->done) {
      result_keep(&one->result, MPI_SUCCESS);
      one->done = true;
    }
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Request_get_status);

EXPORT int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!serves()) return LIB(Waitall)(count, requests, statuses);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    reprise_stay_inside();
    for (int i = 0; i < count; i++) await(requests[i]);
    for (int i = 0; i < count; i++) finish(&requests[i], at(statuses, i));
    told_together(count, statuses);
  } else {
    MPI_Request *before = before_call(count, requests);
    statuses = statuses_for(count, statuses);
    code = LIB(Waitall)(count, requests, statuses);
    all_completed(count, before, statuses, code);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Waitall);

EXPORT int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (!serves()) return LIB(Testall)(count, requests, flag, statuses);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    *flag = 1;
    for (int i = 0; i < count; i++) *flag &= is_done(requests[i]);
    if (!*flag) hub_pump(POLL_MILLIS);
    else {
      for (int i = 0; i < count; i++) finish(&requests[i], at(statuses, i));
      told_together(count, statuses);
    }
  } else {
    MPI_Request *before = before_call(count, requests);
    statuses = statuses_for(count, statuses);
    code = LIB(Testall)(count, requests, flag, statuses);
    if (code != MPI_SUCCESS || *flag) all_completed(count, before, statuses, code);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Testall);

EXPORT int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  if (!serves()) return LIB(Waitany)(count, requests, index, status);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    bool any;
    reprise_stay_inside();
    while ((*index = first_done(count, requests, &any)) == MPI_UNDEFINED && any) hub_pump(-1);
    if (*index != MPI_UNDEFINED) finish(&requests[*index], status);
    else set_empty_status(status);
  } else {
    MPI_Status own;
    MPI_Request *before = before_call(count, requests);
    if (status == MPI_STATUS_IGNORE) status = &own;
    code = LIB(Waitany)(count, requests, index, status);
    if (code == MPI_SUCCESS && *index != MPI_UNDEFINED) completed(before[*index], status);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Waitany);

EXPORT int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  if (!serves()) return LIB(Testany)(count, requests, index, flag, status);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    bool any;
    *index = first_done(count, requests, &any);
    *flag = *index != MPI_UNDEFINED || !any;
    if (*index != MPI_UNDEFINED) finish(&requests[*index], status);
    else if (*flag) set_empty_status(status);
    else hub_pump(POLL_MILLIS);
  } else {
    MPI_Status own;
    MPI_Request *before = before_call(count, requests);
    if (status == MPI_STATUS_IGNORE) status = &own;
    code = LIB(Testany)(count, requests, index, flag, status);
    if (code == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED) completed(before[*index], status);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Testany);

static void some_completed(const MPI_Request *before, int done, const int *indices, const MPI_Status *statuses) {
  for (int i = 0; done != MPI_UNDEFINED && i < done; i++) completed(before[indices[i]], &statuses[i]);
}

EXPORT int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (!serves()) return LIB(Waitsome)(count, requests, done, indices, statuses);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    bool any;
    reprise_stay_inside();
    while ((*done = some_done(count, requests, indices, statuses, &any)) == 0 && any) hub_pump(-1);
    if (!any) *done = MPI_UNDEFINED;
  } else {
    MPI_Request *before = before_call(count, requests);
    statuses = statuses_for(count, statuses);
    code = LIB(Waitsome)(count, requests, done, indices, statuses);
    if (code == MPI_SUCCESS) some_completed(before, *done, indices, statuses);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Waitsome);

EXPORT int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]) {
  if (!serves()) return LIB(Testsome)(count, requests, done, indices, statuses);
  depth = 1;
  int code = MPI_SUCCESS;
  if (restored) {
    bool any;
    *done = some_done(count, requests, indices, statuses, &any);
    if (!any) *done = MPI_UNDEFINED;
    else if (*done == 0) hub_pump(POLL_MILLIS);
  } else {
    MPI_Request *before = before_call(count, requests);
    statuses = statuses_for(count, statuses);
    code = LIB(Testsome)(count, requests, done, indices, statuses);
    if (code == MPI_SUCCESS) some_completed(before, *done, indices, statuses);
  }
  depth = 0;
  return code;
}
ALSO_AS_PMPI(Testsome);

/* ---- Requests that end in other ways ---- */

EXPORT int MPI_Cancel(MPI_Request *request) {
  if (!serves() || !restored) return LIB(Cancel)(request);
  struct operation *one = operation_of(*request);
  if (one != NULL && one->kind == IS_RECEIVE && one->active && !one->done) {
    one->cancelled = one->done = true;
    receive_closed(one);
  }
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Cancel);

EXPORT int MPI_Request_free(MPI_Request *request) {
  if (!serves()) return LIB(Request_free)(request);
  struct operation *one = operation_of(*request);
  bool goes_on = one != NULL && one->active && !one->done && one->kind == IS_RECEIVE;
  if (restored) {
    if (one != NULL && !goes_on) operation_end(one);
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
  }
  if (goes_on) refuse_checkpoints("a receive that the program has let go of");
  int code = LIB(Request_free)(request);
  if (code == MPI_SUCCESS && one != NULL) operation_end(one);
  return code;
}
ALSO_AS_PMPI(Request_free);
