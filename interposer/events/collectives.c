/*
 * Collectives, and every other call that the table generates. A collective orders only what its data flow orders, so it
 * is written down from whom this rank gets data: counts of zero, and neighbours that send nothing, do not count.
 */
#include "events.h"

/* Who gets data from whom; how the counts say it. */
enum shape {
  NO_COLLECTIVE,
  BARRIER,
  FROM_ROOT,         /* count elements from the root */
  SCATTER,           /* recvcount elements from the root */
  GATHER,            /* the root gets recvcount elements from each */
  GATHERV,           /* the root gets recvcounts[i] from i */
  ALLGATHER,         /* recvcount from each */
  ALLGATHERV,        /* recvcounts[i] from i */
  ALLTOALLW,         /* recvcounts[i] of recvtypes[i] from i */
  REDUCE,            /* the root gets count elements that come from all */
  ALLREDUCE,         /* count elements that come from all */
  REDUCE_SCATTER,    /* recvcounts[me] elements that come from all */
  REDUCE_BLOCK,      /* recvcount elements that come from all */
  SCAN,              /* count elements that come from lower ranks */
  NEIGHBOURS,        /* recvcount from each neighbour */
  NEIGHBOURS_V,      /* recvcounts[k] from the k-th neighbour */
  NEIGHBOURS_W
};

/* A collective is blocking, not, or persistent, with int counts or large ones; `small` is its name behind an I. */
#define ANY_OF(name, small)                                                                                            \
  case CALL_##name: case CALL_I##small: case CALL_##name##_c: case CALL_I##small##_c: INITIALISED(name)
#define INITIALISED(name) case CALL_##name##_init: case CALL_##name##_init_c

static inline enum shape shape_of(enum call call) {
  switch (call) {
    case CALL_Barrier: case CALL_Ibarrier: case CALL_Barrier_init: return BARRIER;
    ANY_OF(Bcast, bcast): return FROM_ROOT;
    ANY_OF(Scatter, scatter): ANY_OF(Scatterv, scatterv): return SCATTER;
    ANY_OF(Gather, gather): return GATHER;
    ANY_OF(Gatherv, gatherv): return GATHERV;
    ANY_OF(Allgather, allgather): ANY_OF(Alltoall, alltoall): return ALLGATHER;
    ANY_OF(Allgatherv, allgatherv): ANY_OF(Alltoallv, alltoallv): return ALLGATHERV;
    ANY_OF(Alltoallw, alltoallw): return ALLTOALLW;
    ANY_OF(Reduce, reduce): return REDUCE;
    ANY_OF(Allreduce, allreduce): return ALLREDUCE;
    ANY_OF(Reduce_scatter, reduce_scatter): return REDUCE_SCATTER;
    ANY_OF(Reduce_scatter_block, reduce_scatter_block): return REDUCE_BLOCK;
    ANY_OF(Scan, scan): ANY_OF(Exscan, exscan): return SCAN;
    ANY_OF(Neighbor_allgather, neighbor_allgather): ANY_OF(Neighbor_alltoall, neighbor_alltoall):
      return NEIGHBOURS;
    ANY_OF(Neighbor_allgatherv, neighbor_allgatherv): ANY_OF(Neighbor_alltoallv, neighbor_alltoallv):
      return NEIGHBOURS_V;
    ANY_OF(Neighbor_alltoallw, neighbor_alltoallw): return NEIGHBOURS_W;
    default: return NO_COLLECTIVE;
  }
}

/* Whether the call only makes a request, which MPI_Start starts. */
static inline bool is_persistent(enum call call) {
  switch (call) {
    case CALL_Barrier_init:
    INITIALISED(Bcast): INITIALISED(Scatter): INITIALISED(Scatterv): INITIALISED(Gather): INITIALISED(Gatherv):
    INITIALISED(Allgather): INITIALISED(Allgatherv): INITIALISED(Alltoall): INITIALISED(Alltoallv):
    INITIALISED(Alltoallw): INITIALISED(Reduce): INITIALISED(Allreduce): INITIALISED(Reduce_scatter):
    INITIALISED(Reduce_scatter_block): INITIALISED(Scan): INITIALISED(Exscan): INITIALISED(Neighbor_allgather):
    INITIALISED(Neighbor_allgatherv): INITIALISED(Neighbor_alltoall): INITIALISED(Neighbor_alltoallv):
    INITIALISED(Neighbor_alltoallw): return true;
    default: return false;
  }
}

/* The arguments of a call, whichever of them it has. */
struct arguments {
  MPI_Comm comm;
  int root;
  MPI_Request *request;
  bool persistent, in_place;
  MPI_Count count, sendcount, recvcount;
  MPI_Datatype datatype, sendtype, recvtype;
  const void *sendcounts, *recvcounts;
  size_t sendcounts_width, recvcounts_width;
  const MPI_Datatype *sendtypes, *recvtypes;
};

static MPI_Count count_at(const void *counts, size_t width, int i) {
  return width == sizeof(int) ? ((const int *)counts)[i] : ((const MPI_Count *)counts)[i];
}

static bool carries(MPI_Count count, MPI_Datatype type) { return count > 0 && type_bytes(type) > 0; }

/* ---- From whom ---- */

/*
 * Ranks that send something, gathered and written seven to a record. A persistent collective would have to write them at
 * each start; it counts as one that waits for nobody.
 */
struct peers {
  struct reprise_event record;
  int listed, all;
  bool silent;
};

static void add_peer(struct peers *peers, int peer, bool sends) {
  peers->all++;
  if (!sends || peer == MPI_PROC_NULL || peers->silent) return;
  peers->listed++;
  if (peers->record.call == 7) {
    event_explain(&peers->record);
    peers->record.call = 0;
  }
  peers->record.words[peers->record.call++] = (uint32_t)peer;
}

static enum reprise_flow listed(struct peers *peers) {
  if (peers->listed == 0) return REPRISE_FLOW_NONE;
  event_explain(&peers->record);
  return REPRISE_FLOW_LISTED;
}

static int group_size(MPI_Comm comm, int inter) {
  int size = 0;
  if (inter) REAL(Comm_remote_size)(comm, &size);
  else REAL(Comm_size)(comm, &size);
  return size;
}

static MPI_Datatype received_type(const struct arguments *a, int i) {
  return a->recvtypes != NULL ? a->recvtypes[i] : a->recvtype;
}

/* Of v-collectives: from those whose count is not zero. */
static enum reprise_flow flow_by_counts(const struct arguments *a, int size) {
  int senders = 0;
  for (int i = 0; i < size; i++)
    senders += carries(count_at(a->recvcounts, a->recvcounts_width, i), received_type(a, i));
  if (senders == size) return REPRISE_FLOW_ALL;
  struct peers peers = {.record = {.kind = REPRISE_EV_PEERS}, .silent = a->persistent};
  for (int i = 0; i < size; i++)
    add_peer(&peers, i, carries(count_at(a->recvcounts, a->recvcounts_width, i), received_type(a, i)));
  return listed(&peers);
}

static bool neighbour_sends(const struct arguments *a, enum shape shape, int k) {
  return shape == NEIGHBOURS ? carries(a->recvcount, a->recvtype)
                             : carries(count_at(a->recvcounts, a->recvcounts_width, k), received_type(a, k));
}

static enum reprise_flow flow_of_neighbours(const struct arguments *a, enum shape shape) {
  struct peers peers = {.record = {.kind = REPRISE_EV_PEERS}, .silent = a->persistent};
  int topology = MPI_UNDEFINED;
  REAL(Topo_test)(a->comm, &topology);
  if (topology == MPI_CART) {
    int dimensions = 0;
    REAL(Cartdim_get)(a->comm, &dimensions);
    for (int d = 0; d < dimensions; d++) {
      int below, above;
      REAL(Cart_shift)(a->comm, d, 1, &below, &above);
      add_peer(&peers, below, neighbour_sends(a, shape, 2 * d));
      add_peer(&peers, above, neighbour_sends(a, shape, 2 * d + 1));
    }
  } else {
    int in = 0, out = 0, weighted = 0, me = 0;
    REAL(Comm_rank)(a->comm, &me);
    if (topology == MPI_GRAPH) REAL(Graph_neighbors_count)(a->comm, me, &in);
    else REAL(Dist_graph_neighbors_count)(a->comm, &in, &out, &weighted);
    int *sources = take_memory(((size_t)in + 1) * sizeof(int)), *weights = take_memory(((size_t)in + 1) * sizeof(int));
    int *targets = take_memory(((size_t)out + 1) * sizeof(int)), *more = take_memory(((size_t)out + 1) * sizeof(int));
    if (topology == MPI_GRAPH) REAL(Graph_neighbors)(a->comm, me, in, sources);
    else REAL(Dist_graph_neighbors)(a->comm, in, sources, weights, out, targets, more);
    for (int k = 0; k < in; k++) add_peer(&peers, sources[k], neighbour_sends(a, shape, k));
    give_memory(sources);
    give_memory(weights);
    give_memory(targets);
    give_memory(more);
  }
  return listed(&peers);
}

/*
 * Of an intercommunicator, the root itself passes MPI_ROOT and its own group MPI_PROC_NULL: the root gets from all of
 * the other group, or nothing; its companions take no part.
 */
static enum reprise_flow flow_of(const struct arguments *a, enum shape shape, int *root) {
  int inter = 0, me = 0;
  REAL(Comm_test_inter)(a->comm, &inter);
  REAL(Comm_rank)(a->comm, &me);
  bool is_root = inter ? a->root == MPI_ROOT : a->root == me;
  if (a->root >= 0) *root = a->root;
  switch (shape) {
    case BARRIER: return REPRISE_FLOW_ALL;
    case FROM_ROOT:
      return a->root < 0 || !carries(a->count, a->datatype) ? REPRISE_FLOW_NONE : REPRISE_FLOW_FROM_ROOT;
    case SCATTER:
      return a->root < 0 || (!is_root && !carries(a->recvcount, a->recvtype)) ? REPRISE_FLOW_NONE
                                                                             : REPRISE_FLOW_FROM_ROOT;
    case GATHER:
      if (is_root && !carries(a->recvcount, a->recvtype)) return REPRISE_FLOW_NONE;
      return inter ? (is_root ? REPRISE_FLOW_ALL : REPRISE_FLOW_NONE) : REPRISE_FLOW_TO_ROOT;
    case GATHERV: {
      if (!is_root) return inter ? REPRISE_FLOW_NONE : REPRISE_FLOW_TO_ROOT;
      enum reprise_flow flow = flow_by_counts(a, group_size(a->comm, inter));
      return flow == REPRISE_FLOW_ALL && !inter ? REPRISE_FLOW_TO_ROOT : flow;
    }
    case ALLGATHER: return carries(a->recvcount, a->recvtype) ? REPRISE_FLOW_ALL : REPRISE_FLOW_NONE;
    case ALLGATHERV: case ALLTOALLW: return flow_by_counts(a, group_size(a->comm, inter));
    case REDUCE:
      if (!carries(a->count, a->datatype)) return REPRISE_FLOW_NONE;
      return inter ? (is_root ? REPRISE_FLOW_ALL : REPRISE_FLOW_NONE) : REPRISE_FLOW_TO_ROOT;
    case ALLREDUCE: return carries(a->count, a->datatype) ? REPRISE_FLOW_ALL : REPRISE_FLOW_NONE;
    case REDUCE_SCATTER:
      return carries(count_at(a->recvcounts, a->recvcounts_width, me), a->datatype) ? REPRISE_FLOW_ALL
                                                                                  : REPRISE_FLOW_NONE;
    case REDUCE_BLOCK: return carries(a->recvcount, a->datatype) ? REPRISE_FLOW_ALL : REPRISE_FLOW_NONE;
    case SCAN: return carries(a->count, a->datatype) ? REPRISE_FLOW_SCAN : REPRISE_FLOW_NONE;
    case NEIGHBOURS: case NEIGHBOURS_V: case NEIGHBOURS_W: return flow_of_neighbours(a, shape);
    case NO_COLLECTIVE: break;
  }
  return REPRISE_FLOW_NONE;
}

/* ---- How much ---- */

/* Bytes that this rank puts in: to one, where it sends the same to all. */
static uint64_t bytes_sent(const struct arguments *a, enum shape shape) {
  int inter = 0, size = 0, me = 0;
  uint64_t bytes = 0;
  REAL(Comm_test_inter)(a->comm, &inter);
  REAL(Comm_rank)(a->comm, &me);
  switch (shape) {
    case FROM_ROOT: return a->root == me || a->root == MPI_ROOT ? (uint64_t)a->count * type_bytes(a->datatype) : 0;
    case REDUCE: case ALLREDUCE: case SCAN: return (uint64_t)a->count * type_bytes(a->datatype);
    case REDUCE_SCATTER: case REDUCE_BLOCK:
      size = group_size(a->comm, 0);
      for (int i = 0; i < size; i++)
        bytes += (uint64_t)(shape == REDUCE_BLOCK ? a->recvcount : count_at(a->recvcounts, a->recvcounts_width, i));
      return bytes * type_bytes(a->datatype);
    case SCATTER: case GATHER: case GATHERV: case ALLGATHER: case ALLGATHERV: case ALLTOALLW:
      if (a->in_place) return 0;
      if (a->sendcounts == NULL) return (uint64_t)a->sendcount * type_bytes(a->sendtype);
      if (a->root != MPI_ROOT && a->root >= 0 && a->root != me) return 0;
      size = group_size(a->comm, inter);
      for (int i = 0; i < size; i++)
        bytes += (uint64_t)count_at(a->sendcounts, a->sendcounts_width, i) *
                 type_bytes(a->sendtypes != NULL ? a->sendtypes[i] : a->sendtype);
      return bytes;
    case NEIGHBOURS: case NEIGHBOURS_V: case NEIGHBOURS_W:
      return a->sendcounts == NULL ? (uint64_t)a->sendcount * type_bytes(a->sendtype) : 0;
    case BARRIER: case NO_COLLECTIVE: break;
  }
  return 0;
}

static void done(const struct watched *call, const struct arguments *a, int code) {
  enum shape shape = shape_of(call->call);
  uint32_t comm = code != MPI_SUCCESS || shape == NO_COLLECTIVE ? FOREIGN : comm_index(a->comm);
  if (comm == FOREIGN) {
    event_local(call);
    return;
  }
  int root = UNKNOWN;
  enum reprise_flow flow = flow_of(a, shape, &root);
  if (a->persistent) {
    pending_put_slow((struct pending){.handle = HANDLE(*a->request), .kind = REPRISE_EV_POST_COLLECTIVE,
                                        .persistent = true, .peer = root, .tag = (int)flow,
                                        .comm = comm_of_persistent(a->comm),
                                        .bytes = bytes_sent(a, shape)});
    event_local(call);
    return;
  }
  enum reprise_event_kind kind = a->request != NULL ? REPRISE_EV_POST_COLLECTIVE : REPRISE_EV_COLLECTIVE;
  if (a->request != NULL) pending_put(*a->request, REPRISE_EV_POST_COLLECTIVE, 0, UNKNOWN);
  event_put(call, event_of(call, kind, 0, root, (int)flow, comm), bytes_sent(a, shape));
}

/* ---- The wrappers. A parameter that a call does not have is one of these; one that it has stands before it. ---- */

static const MPI_Comm comm;
enum { root = -1, count = 0, sendcount = 0, recvcount = 0 };
static const MPI_Datatype datatype, sendtype, recvtype;
static const int *const sendcounts, *const recvcounts;
static const MPI_Datatype *const sendtypes, *const recvtypes;
static MPI_Request *const request;
static const void *const sendbuf;

#define WATCHED(name, roles, parameters, arguments_)                                                                   \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!watch()) return REAL(name) arguments_;                                                                        \
    struct watched call = BEGUN(CALL_##name);                                                                          \
    int code = REAL(name) arguments_;                                                                                  \
    RETURNED(call);                                                                                                    \
    struct arguments all = {.comm = comm,                                                                              \
                            .root = root,                                                                              \
                            .request = request,                                                                        \
                            .persistent = is_persistent(CALL_##name),                                                  \
                            .in_place = sendbuf == MPI_IN_PLACE,                                                       \
                            .count = count,                                                                            \
                            .sendcount = sendcount,                                                                    \
                            .recvcount = recvcount,                                                                    \
                            .datatype = datatype,                                                                      \
                            .sendtype = sendtype,                                                                      \
                            .recvtype = recvtype,                                                                      \
                            .sendcounts = sendcounts,                                                                  \
                            .recvcounts = recvcounts,                                                                  \
                            .sendcounts_width = sizeof *sendcounts,                                                    \
                            .recvcounts_width = sizeof *recvcounts,                                                    \
                            .sendtypes = sendtypes,                                                                    \
                            .recvtypes = recvtypes};                                                                   \
    done(&call, &all, code);                                                                                           \
    unwatch();                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#define LOCALLY(name, roles, parameters, arguments)                                                                    \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!watch()) return REAL(name) arguments;                                                                         \
    struct watched call = BEGUN(CALL_##name);                                                                          \
    int code = REAL(name) arguments;                                                                                   \
    RETURNED(call);                                                                                                    \
    event_local(&call);                                                                                                \
    unwatch();                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

#define WRAP_DETERMINISTIC WATCHED
#define WRAP_PASSED LOCALLY
#define WRAP_REFUSED LOCALLY
#include "wrappers.inc"
