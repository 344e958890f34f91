/*
 * Collectives. What one gave to this rank is kept; a restored rank gets it from there, and waits for nobody. So the
 * results are those of the library, bit for bit, however it adds up.
 */
#include "restore.h"

static char *moved(void *buffer, MPI_Count by, MPI_Datatype type) {
  MPI_Aint lower, extent;
  LIB(Type_get_extent)(type, &lower, &extent);
  return (char *)buffer + by * extent;
}

/* Whether this rank gets what a collective with a root gives to it, or to all others. */
static bool is_root(int root, MPI_Comm handle) {
  const struct comm *comm = comm_of(handle);
  return comm->remote_size >= 0 ? root == MPI_ROOT : root == comm->rank;
}
static bool is_other(int root, MPI_Comm handle) {
  const struct comm *comm = comm_of(handle);
  return comm->remote_size >= 0 ? root >= 0 : root != comm->rank;
}

static void from_root(struct result *r, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (is_other(root, comm)) result_add(r, buffer, count, type);
}

/* Of a scatter the root gets a part too, but in place. */
static void part_of_root(struct result *r, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  bool gets = is_other(root, comm) || (comm_of(comm)->remote_size < 0 && is_root(root, comm));
  if (gets && buffer != MPI_IN_PLACE) result_add(r, buffer, count, type);
}

static void to_root(struct result *r, void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (is_root(root, comm)) result_add(r, buffer, count, type);
}

static void each(struct result *r, void *buffer, int count, MPI_Datatype type, int ranks) {
  result_add(r, buffer, (MPI_Count)count * ranks, type);
}

static void parts(struct result *r, void *buffer, const int *counts, const int *displs, MPI_Datatype type, int ranks) {
  for (int i = 0; i < ranks; i++)
    if (counts[i] > 0) result_add(r, moved(buffer, displs[i], type), counts[i], type);
}

static void parts_w(struct result *r, void *buffer, const int *counts, const int *displs, const MPI_Datatype *types,
                    int ranks) {
  for (int i = 0; i < ranks; i++)
    if (counts[i] > 0) result_add(r, (char *)buffer + displs[i], counts[i], types[i]);
}

static void parts_far(struct result *r, void *buffer, const int *counts, const MPI_Aint *displs,
                      const MPI_Datatype *types, int ranks) {
  for (int i = 0; i < ranks; i++)
    if (counts[i] > 0) result_add(r, (char *)buffer + displs[i], counts[i], types[i]);
}

static int peers(MPI_Comm comm) { return peers_of(comm_of(comm)); }

/* Both forms of a collective: the one that waits, and the one whose request does. */
#define UNPACKED(...) __VA_ARGS__
#define COLLECTIVE(name, later, parameters, arguments, pieces)                                                         \
  EXPORT int MPI_##name(UNPACKED parameters) {                                                                         \
    if (!serves()) return LIB(name)(UNPACKED arguments);                                                               \
    depth = 1;                                                                                                         \
    struct result r;                                                                                                   \
    result_begin(&r);                                                                                                  \
    int code = MPI_SUCCESS;                                                                                            \
    if (!restored) code = LIB(name)(UNPACKED arguments);                                                               \
    if (code == MPI_SUCCESS) pieces;                                                                                   \
    if (restored) {                                                                                                    \
      reprise_stay_inside();                                                                                           \
      code = result_take(&r);                                                                                          \
    } else {                                                                                                           \
      result_keep(&r, code);                                                                                           \
    }                                                                                                                  \
    give_memory(r.more);                                                                                               \
    depth = 0;                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);                                                                                                  \
  EXPORT int MPI_##later(UNPACKED parameters, MPI_Request *request) {                                                  \
    if (!serves()) return LIB(later)(UNPACKED arguments, request);                                                     \
    depth = 1;                                                                                                         \
    struct result r;                                                                                                   \
    int code = restored ? MPI_SUCCESS : LIB(later)(UNPACKED arguments, request);                                       \
    if (code == MPI_SUCCESS) {                                                                                         \
      result_begin(&r);                                                                                                \
      pieces;                                                                                                          \
      result_own(&r);                                                                                                  \
      struct operation *begun = operation_new(request, IS_COLLECTIVE);                                                 \
      begun->active = true;                                                                                            \
      begun->result = r;                                                                                               \
    }                                                                                                                  \
    depth = 0;                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(later);

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), (void)0)
COLLECTIVE(Bcast, Ibcast, (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm), from_root(&r, buffer, count, type, root, comm))

#define SEND const void *sendbuf, int sendcount, MPI_Datatype sendtype
#define RECV void *recvbuf, int recvcount, MPI_Datatype recvtype
#define RECV_V void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype
#define GIVEN_SEND sendbuf, sendcount, sendtype
#define GIVEN_RECV recvbuf, recvcount, recvtype
#define GIVEN_RECV_V recvbuf, recvcounts, displs, recvtype

COLLECTIVE(Gather, Igather, (SEND, RECV, int root, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV, root, comm), {
  if (is_root(root, comm)) each(&r, recvbuf, recvcount, recvtype, peers(comm));
})
COLLECTIVE(Gatherv, Igatherv, (SEND, RECV_V, int root, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV_V, root, comm), {
  if (is_root(root, comm)) parts(&r, recvbuf, recvcounts, displs, recvtype, peers(comm));
})
COLLECTIVE(Scatter, Iscatter, (SEND, RECV, int root, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV, root, comm),
           part_of_root(&r, recvbuf, recvcount, recvtype, root, comm))
COLLECTIVE(Scatterv, Iscatterv,
           (const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, RECV, int root,
            MPI_Comm comm),
           (sendbuf, sendcounts, displs, sendtype, GIVEN_RECV, root, comm),
           part_of_root(&r, recvbuf, recvcount, recvtype, root, comm))
COLLECTIVE(Allgather, Iallgather, (SEND, RECV, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV, comm),
           each(&r, recvbuf, recvcount, recvtype, peers(comm)))
COLLECTIVE(Allgatherv, Iallgatherv, (SEND, RECV_V, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV_V, comm),
           parts(&r, recvbuf, recvcounts, displs, recvtype, peers(comm)))
COLLECTIVE(Alltoall, Ialltoall, (SEND, RECV, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV, comm),
           each(&r, recvbuf, recvcount, recvtype, peers(comm)))

#define BOTH_V                                                                                                         \
  const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,              \
      const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm
#define BOTH_W(displacements)                                                                                          \
  const void *sendbuf, const int sendcounts[], const displacements sdispls[], const MPI_Datatype sendtypes[],          \
      void *recvbuf, const int recvcounts[], const displacements rdispls[], const MPI_Datatype recvtypes[],            \
      MPI_Comm comm
#define GIVEN_V sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
#define GIVEN_W sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm

COLLECTIVE(Alltoallv, Ialltoallv, (BOTH_V), (GIVEN_V), parts(&r, recvbuf, recvcounts, rdispls, recvtype, peers(comm)))
COLLECTIVE(Alltoallw, Ialltoallw, (BOTH_W(int)), (GIVEN_W),
           parts_w(&r, recvbuf, recvcounts, rdispls, recvtypes, peers(comm)))

#define REDUCED const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op
#define GIVEN_REDUCED sendbuf, recvbuf, count, type, op

COLLECTIVE(Reduce, Ireduce, (REDUCED, int root, MPI_Comm comm), (GIVEN_REDUCED, root, comm),
           to_root(&r, recvbuf, count, type, root, comm))
COLLECTIVE(Allreduce, Iallreduce, (REDUCED, MPI_Comm comm), (GIVEN_REDUCED, comm), result_add(&r, recvbuf, count, type))
COLLECTIVE(Scan, Iscan, (REDUCED, MPI_Comm comm), (GIVEN_REDUCED, comm), result_add(&r, recvbuf, count, type))
COLLECTIVE(Exscan, Iexscan, (REDUCED, MPI_Comm comm), (GIVEN_REDUCED, comm), {
  if (comm_of(comm)->rank > 0) result_add(&r, recvbuf, count, type);
})
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (sendbuf, recvbuf, recvcounts, type, op, comm),
           result_add(&r, recvbuf, recvcounts[comm_of(comm)->rank], type))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, (REDUCED, MPI_Comm comm), (GIVEN_REDUCED, comm),
           result_add(&r, recvbuf, count, type))

COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, (SEND, RECV, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV, comm),
           each(&r, recvbuf, recvcount, recvtype, comm_in_degree(comm)))
COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, (SEND, RECV_V, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV_V, comm),
           parts(&r, recvbuf, recvcounts, displs, recvtype, comm_in_degree(comm)))
COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, (SEND, RECV, MPI_Comm comm), (GIVEN_SEND, GIVEN_RECV, comm),
           each(&r, recvbuf, recvcount, recvtype, comm_in_degree(comm)))
COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, (BOTH_V), (GIVEN_V),
           parts(&r, recvbuf, recvcounts, rdispls, recvtype, comm_in_degree(comm)))
COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, (BOTH_W(MPI_Aint)), (GIVEN_W),
           parts_far(&r, recvbuf, recvcounts, rdispls, recvtypes, comm_in_degree(comm)))
