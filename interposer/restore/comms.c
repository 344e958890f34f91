/*
 * Communicators. What a creation gave is kept as a result, so that a restored rank needs nobody for it. It cannot make
 * communicators, since that takes the library's transports: its handles are spare ones, copies of MPI_COMM_SELF that were
 * made before, with names, attributes and error handlers of their own; who is in them is known here.
 */
#include "restore.h"

enum { SPARES = 64 };
static struct map comms;
static MPI_Comm spares[SPARES];
static int spare_count;

int rank_in(const struct comm *comm, int world) {
  const int *members = comm->remote_size >= 0 ? comm->remote : comm->members;
  for (int i = 0; i < peers_of(comm); i++)
    if (members[i] == world) return i;
  return MPI_UNDEFINED;
}

static int *world_ranks(MPI_Group group, int *size) {
  LIB(Group_size)(group, size);
  size_t bytes = ((size_t)*size + 1) * sizeof(int);
  int *ranks = take_memory(bytes), *world = take_memory(bytes);
  for (int i = 0; i < *size; i++) ranks[i] = i;
  LIB(Group_translate_ranks)(group, *size, ranks, world_group, world);
  give_memory(ranks);
  LIB(Group_free)(&group);
  for (int i = 0; i < *size; i++)
    if (world[i] < 0) refuse_checkpoints("ranks outside MPI_COMM_WORLD");
  return world;
}

/* ---- Topologies, as numbers in a row ---- */

static int *shape_of(MPI_Comm comm, int *kind, int *length) {
  int *shape = NULL, n = 0, edges = 0, weighted = 0;
  *length = 0;
  LIB(Topo_test)(comm, kind);
  if (*kind == MPI_CART) {
    LIB(Cartdim_get)(comm, &n);
    shape = take_memory((1 + 3 * (size_t)n) * sizeof *shape);
    shape[0] = n;
    LIB(Cart_get)(comm, n, shape + 1, shape + 1 + n, shape + 1 + 2 * n);
    *length = 1 + 3 * n;
  } else if (*kind == MPI_GRAPH) {
    LIB(Graphdims_get)(comm, &n, &edges);
    shape = take_memory((2 + (size_t)n + (size_t)edges) * sizeof *shape);
    shape[0] = n;
    shape[1] = edges;
    LIB(Graph_get)(comm, n, edges, shape + 2, shape + 2 + n);
    *length = 2 + n + edges;
  } else if (*kind == MPI_DIST_GRAPH) {
    LIB(Dist_graph_neighbors_count)(comm, &n, &edges, &weighted);
    size_t all = 3 + 2 * (size_t)n + 2 * (size_t)edges;
    shape = take_memory((all + 1) * sizeof *shape);
    memset(shape, 0, all * sizeof *shape);
    shape[0] = n;
    shape[1] = edges;
    shape[2] = weighted;
    int *sources = shape + 3, *targets = sources + 2 * n;
    LIB(Dist_graph_neighbors)(comm, n, sources, sources + n, edges, targets, targets + edges);
    *length = (int)all;
  }
  return shape;
}

static struct comm *look_at(MPI_Comm handle) {
  struct comm *comm = take_memory(sizeof *comm);
  int inter = 0, length;
  MPI_Group group;
  *comm = (struct comm){.remote_size = -1};
  LIB(Comm_rank)(handle, &comm->rank);
  LIB(Comm_group)(handle, &group);
  comm->members = world_ranks(group, &comm->size);
  LIB(Comm_test_inter)(handle, &inter);
  comm->topology = MPI_UNDEFINED;
  if (inter) {
    LIB(Comm_remote_group)(handle, &group);
    comm->remote = world_ranks(group, &comm->remote_size);
  } else {
    comm->shape = shape_of(handle, &comm->topology, &length);
  }
  map_put(&comms, HANDLE(handle), comm);
  return comm;
}

/* The recorder names a communicator when it has been made: until then it has no identity. */
struct comm *comm_of(MPI_Comm handle) {
  struct comm *comm = map_get(&comms, HANDLE(handle));
  if (comm == NULL) comm = look_at(handle);
  if (comm->id == 0) comm->id = reprise_comm_id(handle);
  return comm;
}

static struct comm *ours(MPI_Comm handle) {
  struct comm *comm = restored ? map_get(&comms, HANDLE(handle)) : NULL;
  return comm != NULL && comm->ours ? comm : NULL;
}

static void forget(MPI_Comm handle) {
  struct comm *comm = map_remove(&comms, HANDLE(handle), NULL);
  if (comm == NULL) return;
  give_memory(comm->members);
  give_memory(comm->remote);
  give_memory(comm->shape);
  give_memory(comm);
}

void comms_begin(void) {
  depth++;
  for (spare_count = 0; spare_count < SPARES; spare_count++)
    if (LIB(Comm_dup)(MPI_COMM_SELF, &spares[spare_count]) != MPI_SUCCESS) break;
  depth--;
}

int comm_in_degree(MPI_Comm handle) {
  const struct comm *comm = comm_of(handle);
  if (comm->topology == MPI_CART) return 2 * comm->shape[0];
  if (comm->topology == MPI_DIST_GRAPH) return comm->shape[0];
  if (comm->topology != MPI_GRAPH) return 0;
  const int *index = comm->shape + 2;
  return index[comm->rank] - (comm->rank > 0 ? index[comm->rank - 1] : 0);
}

/* ---- Attributes: a copy takes them along, by functions of the program ---- */

struct keyval {
  int number;
  MPI_Comm_copy_attr_function *copy;
  void *extra;
  struct keyval *next;
};
static struct keyval *keyvals;

static void note_keyval(int number, MPI_Comm_copy_attr_function *copy, void *extra) {
  struct keyval *made = take_memory(sizeof *made);
  *made = (struct keyval){number, copy, extra, keyvals};
  keyvals = made;
}

EXPORT int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *end, int *keyval,
                                  void *extra) {
  int code = LIB(Comm_create_keyval)(copy, end, keyval, extra);
  if (serves() && code == MPI_SUCCESS) note_keyval(*keyval, copy, extra);
  return code;
}
ALSO_AS_PMPI(Comm_create_keyval);

static void copy_attributes(MPI_Comm from, MPI_Comm to) {
  for (const struct keyval *one = keyvals; one != NULL; one = one->next) {
    void *value = NULL, *copied = NULL;
    int there = 0, wanted = 0;
    LIB(Comm_get_attr)(from, one->number, &value, &there);
    if (!there || one->copy == NULL) continue;
    one->copy(from, one->number, one->extra, value, &copied, &wanted);
    if (wanted) LIB(Comm_set_attr)(to, one->number, copied);
  }
}

static void drop_attributes(MPI_Comm from) {
  for (const struct keyval *one = keyvals; one != NULL; one = one->next) {
    void *value;
    int there = 0;
    LIB(Comm_get_attr)(from, one->number, &value, &there);
    if (there) LIB(Comm_delete_attr)(from, one->number);
  }
}

/* ---- Creation ---- */

/* rank, size, remote size or -1, topology, length of its shape, members, remote members, shape */
static void keep_made(uint64_t number, int code, MPI_Comm made) {
  if (code != MPI_SUCCESS || made == MPI_COMM_NULL) {
    bytes_keep(number, code, NULL, 0);
    return;
  }
  forget(made); /* a handle that the library gives again */
  struct comm *comm = look_at(made);
  int kind = MPI_UNDEFINED, length = 0, remote = comm->remote_size < 0 ? 0 : comm->remote_size;
  if (comm->remote_size < 0) give_memory(shape_of(made, &kind, &length));
  size_t count = 5 + (size_t)comm->size + (size_t)remote + (size_t)length;
  int *words = take_memory(count * sizeof *words), *to = words + 5;
  words[0] = comm->rank;
  words[1] = comm->size;
  words[2] = comm->remote_size;
  words[3] = comm->topology;
  words[4] = length;
  memcpy(to, comm->members, (size_t)comm->size * sizeof *to);
  if (remote > 0) memcpy(to + comm->size, comm->remote, (size_t)remote * sizeof *to);
  if (length > 0) memcpy(to + comm->size + remote, comm->shape, (size_t)length * sizeof *to);
  bytes_keep(number, code, words, count * sizeof *words);
  give_memory(words);
  forget(made); /* it has no identity yet */
}

static int *copy_of(const int *words, int count) {
  int *copy = take_memory(((size_t)count + 1) * sizeof *copy);
  if (count > 0) memcpy(copy, words, (size_t)count * sizeof *copy);
  return copy;
}

static int take_made(uint64_t number, MPI_Comm parent, bool copies, MPI_Comm *made) {
  void *bytes;
  size_t count;
  int code = bytes_take(number, &bytes, &count);
  *made = MPI_COMM_NULL;
  if (count > 0) {
    const int *words = bytes;
    if (spare_count == 0) refuse("more than 64 new communicators at once");
    *made = spares[--spare_count];
    struct comm *comm = take_memory(sizeof *comm);
    *comm = (struct comm){.rank = words[0], .size = words[1], .remote_size = words[2], .topology = words[3], .ours = true};
    int remote = comm->remote_size < 0 ? 0 : comm->remote_size;
    comm->members = copy_of(words + 5, comm->size);
    comm->remote = copy_of(words + 5 + comm->size, remote);
    comm->shape = copy_of(words + 5 + comm->size + remote, words[4]);
    map_put(&comms, HANDLE(*made), comm);
    MPI_Errhandler handler;
    if (LIB(Comm_get_errhandler)(parent, &handler) == MPI_SUCCESS) {
      LIB(Comm_set_errhandler)(*made, handler);
      LIB(Errhandler_free)(&handler);
    }
    if (copies) copy_attributes(parent, *made);
  }
  give_memory(bytes);
  return code;
}

#define CREATES(name, parent, copies, parameters, arguments)                                                           \
  EXPORT int MPI_##name parameters {                                                                                   \
    if (!serves()) return LIB(name) arguments;                                                                         \
    depth = 1;                                                                                                         \
    uint64_t number = next_result();                                                                                   \
    if (restored) reprise_stay_inside();                                                                               \
    int code = restored ? take_made(number, parent, copies, newcomm) : LIB(name) arguments;                            \
    if (!restored) keep_made(number, code, *newcomm);                                                                  \
    depth = 0;                                                                                                         \
    return code;                                                                                                       \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

CREATES(Comm_dup, comm, true, (MPI_Comm comm, MPI_Comm *newcomm), (comm, newcomm))
CREATES(Comm_dup_with_info, comm, true, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm), (comm, info, newcomm))
CREATES(Comm_split, comm, false, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm), (comm, color, key, newcomm))
CREATES(Comm_split_type, comm, false, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *newcomm),
        (comm, type, key, info, newcomm))
CREATES(Comm_create, comm, false, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm), (comm, group, newcomm))
CREATES(Comm_create_group, comm, false, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm),
        (comm, group, tag, newcomm))
CREATES(Cart_create, comm, false,
        (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *newcomm),
        (comm, ndims, dims, periods, reorder, newcomm))
CREATES(Cart_sub, comm, false, (MPI_Comm comm, const int remain[], MPI_Comm *newcomm), (comm, remain, newcomm))
CREATES(Graph_create, comm, false,
        (MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder, MPI_Comm *newcomm),
        (comm, nnodes, index, edges, reorder, newcomm))
CREATES(Dist_graph_create, comm, false,
        (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[], const int weights[],
         MPI_Info info, int reorder, MPI_Comm *newcomm),
        (comm, n, sources, degrees, destinations, weights, info, reorder, newcomm))
CREATES(Dist_graph_create_adjacent, comm, false,
        (MPI_Comm comm, int indegree, const int sources[], const int sourceweights[], int outdegree,
         const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *newcomm),
        (comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, newcomm))
CREATES(Intercomm_merge, comm, false, (MPI_Comm comm, int high, MPI_Comm *newcomm), (comm, high, newcomm))
CREATES(Intercomm_create, local, false,
        (MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *newcomm),
        (local, leader, peer, remote, tag, newcomm))

/* The recorder names it at once, and it may be used when the request is done: it is made when it is asked for. */
EXPORT int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  if (serves() && restored) refuse("MPI_Comm_idup");
  return LIB(Comm_idup)(comm, newcomm, request);
}
ALSO_AS_PMPI(Comm_idup);

/* ---- The end ---- */

#define ENDS(name)                                                                                                     \
  EXPORT int MPI_##name(MPI_Comm *comm) {                                                                              \
    if (!serves()) return LIB(name)(comm);                                                                             \
    if (!restored) {                                                                                                   \
      forget(*comm);                                                                                                   \
      return LIB(name)(comm);                                                                                          \
    }                                                                                                                  \
    drop_attributes(*comm);                                                                                            \
    if (ours(*comm) != NULL && spare_count < SPARES) spares[spare_count++] = *comm;                                    \
    forget(*comm);                                                                                                     \
    *comm = MPI_COMM_NULL;                                                                                             \
    return MPI_SUCCESS;                                                                                                \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

ENDS(Comm_free)
ENDS(Comm_disconnect)

/* ---- Questions about those that a restored rank has made ---- */

#define ASKS(name, parameters, arguments, ...)                                                                         \
  EXPORT int MPI_##name parameters {                                                                                   \
    const struct comm *own = ours(comm);                                                                               \
    if (own == NULL) return LIB(name) arguments;                                                                       \
    __VA_ARGS__;                                                                                                       \
    return MPI_SUCCESS;                                                                                                \
  }                                                                                                                    \
  ALSO_AS_PMPI(name);

static void group_of(const int *members, int size, MPI_Group *group) {
  LIB(Group_incl)(world_group, size, members, group);
}

ASKS(Comm_rank, (MPI_Comm comm, int *rank), (comm, rank), *rank = own->rank)
ASKS(Comm_size, (MPI_Comm comm, int *size), (comm, size), *size = own->size)
ASKS(Comm_remote_size, (MPI_Comm comm, int *size), (comm, size), *size = own->remote_size)
ASKS(Comm_test_inter, (MPI_Comm comm, int *flag), (comm, flag), *flag = own->remote_size >= 0)
ASKS(Comm_group, (MPI_Comm comm, MPI_Group *group), (comm, group), group_of(own->members, own->size, group))
ASKS(Comm_remote_group, (MPI_Comm comm, MPI_Group *group), (comm, group),
     group_of(own->remote, own->remote_size, group))
ASKS(Topo_test, (MPI_Comm comm, int *status), (comm, status), *status = own->topology)

/* ---- Cartesian ones ---- */

/* n, then n times: dimensions, whether they are periodic, own coordinates */
static int cart_rank(const struct comm *comm, const int *coords) {
  int n = comm->shape[0], rank_found = 0;
  const int *dims = comm->shape + 1, *periods = dims + n;
  for (int i = 0; i < n; i++) {
    int at = coords[i];
    if (periods[i]) at = (at % dims[i] + dims[i]) % dims[i];
    if (at < 0 || at >= dims[i]) return MPI_PROC_NULL;
    rank_found = rank_found * dims[i] + at;
  }
  return rank_found;
}

static void cart_coords(const struct comm *comm, int of, int *coords, int room) {
  int n = comm->shape[0];
  const int *dims = comm->shape + 1;
  for (int i = n - 1; i >= 0; i--) {
    if (i < room) coords[i] = of % dims[i];
    of /= dims[i];
  }
}

static void cart_shift(const struct comm *comm, int direction, int by, int *source, int *dest) {
  int n = comm->shape[0], *coords = copy_of(comm->shape + 1 + 2 * n, n), here = coords[direction];
  coords[direction] = here + by;
  *dest = cart_rank(comm, coords);
  coords[direction] = here - by;
  *source = cart_rank(comm, coords);
  give_memory(coords);
}

static void some(int *to, const int *from, int count, int room) {
  for (int i = 0; i < count && i < room; i++) to[i] = from[i];
}

ASKS(Cartdim_get, (MPI_Comm comm, int *ndims), (comm, ndims), *ndims = own->shape[0])
ASKS(Cart_get, (MPI_Comm comm, int room, int dims[], int periods[], int coords[]), (comm, room, dims, periods, coords), {
  int n = own->shape[0];
  some(dims, own->shape + 1, n, room);
  some(periods, own->shape + 1 + n, n, room);
  some(coords, own->shape + 1 + 2 * n, n, room);
})
ASKS(Cart_rank, (MPI_Comm comm, const int coords[], int *rank), (comm, coords, rank), *rank = cart_rank(own, coords))
ASKS(Cart_coords, (MPI_Comm comm, int rank, int room, int coords[]), (comm, rank, room, coords),
     cart_coords(own, rank, coords, room))
ASKS(Cart_shift, (MPI_Comm comm, int direction, int disp, int *source, int *dest),
     (comm, direction, disp, source, dest), cart_shift(own, direction, disp, source, dest))

/* ---- Graphs ---- */

ASKS(Graphdims_get, (MPI_Comm comm, int *nodes, int *edges), (comm, nodes, edges), {
  *nodes = own->shape[0];
  *edges = own->shape[1];
})
ASKS(Graph_get, (MPI_Comm comm, int indices, int room, int index[], int edges[]), (comm, indices, room, index, edges), {
  some(index, own->shape + 2, own->shape[0], indices);
  some(edges, own->shape + 2 + own->shape[0], own->shape[1], room);
})
static int neighbours_from(const struct comm *comm, int of) { return of == 0 ? 0 : comm->shape[2 + of - 1]; }
ASKS(Graph_neighbors_count, (MPI_Comm comm, int rank, int *count), (comm, rank, count),
     *count = own->shape[2 + rank] - neighbours_from(own, rank))
ASKS(Graph_neighbors, (MPI_Comm comm, int rank, int room, int neighbors[]), (comm, rank, room, neighbors),
     some(neighbors, own->shape + 2 + own->shape[0] + neighbours_from(own, rank),
          own->shape[2 + rank] - neighbours_from(own, rank), room))
ASKS(Dist_graph_neighbors_count, (MPI_Comm comm, int *in, int *out, int *weighted), (comm, in, out, weighted), {
  *in = own->shape[0];
  *out = own->shape[1];
  *weighted = own->shape[2];
})
/* MPICH's word for it is an address inside the library. */
static bool is_unweighted(const int *weights) {
#ifdef OPEN_MPI
  return weights == MPI_UNWEIGHTED;
#else
  int *const *word = find_variable("MPI_UNWEIGHTED");
  return word != NULL && weights == *word;
#endif
}

ASKS(Dist_graph_neighbors,
     (MPI_Comm comm, int in, int sources[], int sourceweights[], int out, int destinations[], int destweights[]),
     (comm, in, sources, sourceweights, out, destinations, destweights), {
       const int *from = own->shape + 3, *to = from + 2 * own->shape[0];
       some(sources, from, own->shape[0], in);
       some(destinations, to, own->shape[1], out);
       if (own->shape[2]) {
         if (!is_unweighted(sourceweights)) some(sourceweights, from + own->shape[0], own->shape[0], in);
         if (!is_unweighted(destweights)) some(destweights, to + own->shape[1], own->shape[1], out);
       }
     })

EXPORT int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result) {
  if (!restored || (ours(a) == NULL && ours(b) == NULL)) return LIB(Comm_compare)(a, b, result);
  if (a == b) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  MPI_Group one, other;
  MPI_Comm_group(a, &one);
  MPI_Comm_group(b, &other);
  LIB(Group_compare)(one, other, result);
  if (*result == MPI_IDENT) *result = MPI_CONGRUENT;
  LIB(Group_free)(&one);
  LIB(Group_free)(&other);
  return MPI_SUCCESS;
}
ALSO_AS_PMPI(Comm_compare);
