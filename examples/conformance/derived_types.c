#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/*
 * Types as programs build them: pieces of arrays, transposed, with empty blocks, pairs, of mixed kinds, with attributes that
 * call back. What arrives, how much of it a status says there is, and how often callbacks were called, is in the hash.
 */

enum { ROWS = 6, COLUMNS = 5, TAG = 2, KINDS = 9 };

static void hash_ints(struct hash *h, const int *ints, int count)
{
    for (int i = 0; i < count; i++)
        hash_int(h, ints[i]);
}

/* Each has ints only; `from` is where it begins in a matrix of ROWS by COLUMNS. */
static MPI_Datatype piece(int kind, int *from)
{
    int sizes[2] = {ROWS, COLUMNS}, parts[2] = {3, 2}, starts[2] = {2, 1};
    MPI_Datatype type = MPI_DATATYPE_NULL, column, resized;
    *from = 0;
    switch (kind) {
    case 0:
        MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
        break;
    case 1:
        MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
        break;
    case 2: /* the second of two processes, dealt out by pairs of rows */
        MPI_Type_create_darray(2, 1, 2, sizes, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
                               (int[]){2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 1}, MPI_ORDER_C, MPI_INT, &type);
        break;
    case 3: /* transposed: columns one after the other */
        MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column);
        MPI_Type_create_resized(column, 0, sizeof(int), &resized);
        MPI_Type_contiguous(COLUMNS, resized, &type);
        MPI_Type_free(&column);
        MPI_Type_free(&resized);
        break;
    case 4: /* upper triangle */
        MPI_Type_indexed(4, (int[]){4, 3, 2, 1}, (int[]){1, 7, 13, 19}, MPI_INT, &type);
        break;
    case 5: /* with empty blocks between */
        MPI_Type_create_hindexed(4, (int[]){0, 2, 0, 1}, (MPI_Aint[]){400, 8, -400, 40}, MPI_INT, &type);
        break;
    case 6:
        MPI_Type_create_indexed_block(3, 2, (int[]){9, 3, 0}, MPI_INT, &type);
        break;
    case 7:
        MPI_Type_create_hindexed_block(3, 1, (MPI_Aint[]){-8, 0, 12}, MPI_INT, &type);
        *from = 10;
        break;
    case 8: /* bounds of its own, and a struct in a struct */
        MPI_Type_create_struct(3, (int[]){1, 0, 2}, (MPI_Aint[]){16, 0, 4}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_INT},
                               &column);
        MPI_Type_create_resized(column, -4, 32, &resized);
        MPI_Type_create_struct(1, (int[]){2}, (MPI_Aint[]){4}, &resized, &type);
        MPI_Type_free(&column);
        MPI_Type_free(&resized);
    }
    MPI_Type_commit(&type);
    return type;
}

/* From one type to another, and as plain ints, by persistent requests too; the type is freed before they start. */
static void through_types(MPI_Comm comm, int left, int right, struct hash *h)
{
    for (int kind = 0; kind < KINDS; kind++) {
        int out[ROWS * COLUMNS], in[ROWS * COLUMNS], from, bytes, ints, elements;
        MPI_Datatype type = piece(kind, &from);
        MPI_Request requests[2];
        MPI_Status statuses[2];
        for (int i = 0; i < ROWS * COLUMNS; i++)
            out[i] = 100 * rank_in(comm) + i;
        MPI_Type_size(type, &bytes);
        ints = bytes / (int)sizeof(int);
        memset(in, 0, sizeof in);
        MPI_Sendrecv(out + from, 1, type, right, TAG, in, ints, MPI_INT, MPI_ANY_SOURCE, TAG, comm, &statuses[0]);
        hash_status(h, &statuses[0], type);
        hash_ints(h, in, ROWS * COLUMNS);
        memset(in, 0, sizeof in);
        MPI_Send_init(out, ints, MPI_INT, right, TAG, comm, &requests[0]);
        MPI_Recv_init(in + from, 1, type, kind % 2 ? left : MPI_ANY_SOURCE, TAG, comm, &requests[1]);
        MPI_Type_free(&type);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        MPI_Get_elements(&statuses[1], MPI_INT, &elements);
        hash_int(h, elements);
        hash_ints(h, in, ROWS * COLUMNS);
        for (int i = 0; i < 2; i++)
            MPI_Request_free(&requests[i]);
    }
}

struct mixed {
    double weight;
    int id;
    char word[3];
};

/* A message may end within an element: then it has no count, but so many basic elements. */
static void incomplete_elements(MPI_Comm comm, int left, int right, struct hash *h)
{
    struct mixed out[3] = {{1.5, 1, "ab"}, {2.5, 2, "cd"}, {3.5, 3, "ef"}}, in[4];
    MPI_Aint at[3] = {offsetof(struct mixed, weight), offsetof(struct mixed, id), offsetof(struct mixed, word)};
    MPI_Datatype kinds[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR}, tight, type, part;
    MPI_Type_create_struct(3, (int[]){1, 1, 3}, at, kinds, &tight);
    MPI_Type_create_resized(tight, 0, sizeof(struct mixed), &type);
    MPI_Type_commit(&type);
    MPI_Type_create_struct(2, (int[]){1, 1}, at, kinds, &part);
    MPI_Type_commit(&part);
    for (int whole = 0; whole < 3; whole++) {
        MPI_Request request;
        MPI_Status status;
        MPI_Datatype sent;
        int count, elements;
        MPI_Count many;
        if (whole > 0) /* whole elements, then one that ends behind its id */
            MPI_Type_create_struct(2, (int[]){whole, 1}, (MPI_Aint[]){0, (MPI_Aint)(whole * sizeof(struct mixed))},
                                   (MPI_Datatype[]){type, part}, &sent);
        else
            MPI_Type_dup(part, &sent);
        MPI_Type_commit(&sent);
        memset(in, 0, sizeof in);
        MPI_Irecv(in, 4, type, whole % 2 ? left : MPI_ANY_SOURCE, TAG, comm, &request);
        MPI_Send(out, 1, sent, right, TAG, comm);
        MPI_Wait(&request, &status);
        MPI_Get_count(&status, type, &count);
        MPI_Get_elements(&status, type, &elements);
        MPI_Get_elements_x(&status, type, &many);
        hash_int(h, count == MPI_UNDEFINED);
        hash_int(h, elements);
        hash_int(h, many);
        for (int i = 0; i <= whole; i++) {
            hash_int(h, (int)(2 * in[i].weight));
            hash_int(h, in[i].id);
            hash_int(h, in[i].word[0]);
        }
        MPI_Type_free(&sent);
    }
    MPI_Type_free(&tight);
    MPI_Type_free(&type);
    MPI_Type_free(&part);
}

static void pairs(MPI_Comm comm, int left, int right, struct hash *h)
{
    struct {
        double value;
        int where;
    } out = {0.5 * rank_in(comm), 7}, in = {0}, largest = {0};
    struct {
        short value;
        int where;
    } small = {3, rank_in(comm)}, got = {0};
    MPI_Status status;
    MPI_Sendrecv(&out, 1, MPI_DOUBLE_INT, right, TAG, &in, 1, MPI_DOUBLE_INT, left, MPI_ANY_TAG, comm, &status);
    hash_status(h, &status, MPI_DOUBLE_INT);
    hash_int(h, (int)(2 * in.value));
    hash_int(h, in.where);
    MPI_Sendrecv(&small, 1, MPI_SHORT_INT, right, TAG, &got, 1, MPI_SHORT_INT, left, TAG, comm, &status);
    hash_int(h, got.value);
    hash_int(h, got.where);
    out.where = rank_in(comm);
    MPI_Allreduce(&out, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    hash_int(h, largest.where);
}

static void in_one_format(MPI_Comm comm, int left, int right, struct hash *h)
{
    int numbers[3] = {1, -2, 3 + rank_in(comm)}, got[3] = {0};
    char out[64], in[64];
    MPI_Aint position = 0, size;
    MPI_Status status;
    MPI_Pack_external_size("external32", 3, MPI_INT, &size);
    hash_int(h, size);
    MPI_Pack_external("external32", numbers, 3, MPI_INT, out, sizeof out, &position);
    MPI_Sendrecv(out, (int)position, MPI_BYTE, right, TAG, in, sizeof in, MPI_BYTE, left, TAG, comm, &status);
    hash_status(h, &status, MPI_BYTE);
    position = 0;
    MPI_Unpack_external("external32", in, size, &position, got, 3, MPI_INT);
    hash_ints(h, got, 3);
}

static int copies, deletions;

static int on_copy(MPI_Datatype type, int key, void *extra, void *value, void *copied, int *flag)
{
    (void)type, (void)key, (void)extra;
    copies++;
    *(void **)copied = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

/* Only what the program copies and frees calls back: messages of the type do not. */
static void attributes(MPI_Comm comm, int left, int right, struct hash *h)
{
    int key, out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[8] = {0}, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Datatype type, copy;
    MPI_Request requests[4];
    copies = deletions = 0;
    MPI_Type_create_keyval(on_copy, on_delete, &key, NULL);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_set_attr(type, key, out);
    MPI_Type_set_name(type, "every second");
    MPI_Recv_init(in, 1, type, MPI_ANY_SOURCE, TAG, comm, &requests[0]);
    MPI_Recv_init(in + 4, 1, type, left, TAG + 1, comm, &requests[1]);
    MPI_Send_init(out, 1, type, right, TAG, comm, &requests[2]);
    MPI_Ssend_init(out + 4, 1, type, right, TAG + 1, comm, &requests[3]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    hash_ints(h, in, 8);
    hash_int(h, copies);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
    MPI_Sendrecv(out, 1, type, right, TAG, in, 1, type, left, TAG, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 1, type, right, TAG, left, TAG, comm, MPI_STATUS_IGNORE);
    hash_int(h, copies);
    hash_int(h, deletions);
    MPI_Type_dup(type, &copy);
    MPI_Type_get_name(type, name, &length);
    hash_int(h, length);
    MPI_Type_free(&type);
    MPI_Type_free(&copy);
    MPI_Type_free_keyval(&key);
    hash_int(h, copies);
    hash_int(h, deletions);
}

static void many_types(MPI_Comm comm, int left, int right, struct hash *h)
{
    enum { TYPES = 400 };
    MPI_Datatype types[TYPES];
    int out[2] = {rank_in(comm), 5}, in[2], integers, addresses, kinds, combiner;
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_vector(2, 1, 1, i % 2 ? types[i - 1] : MPI_INT, &types[i]);
        MPI_Type_commit(&types[i]);
    }
    MPI_Sendrecv(out, 1, types[TYPES - 2], right, TAG, in, 1, types[TYPES - 4], left, TAG, comm, MPI_STATUS_IGNORE);
    hash_ints(h, in, 2);
    MPI_Type_get_envelope(types[1], &integers, &addresses, &kinds, &combiner);
    hash_int(h, integers);
    hash_int(h, combiner == MPI_COMBINER_VECTOR);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&types[i]);
}

void scenario_derived_types(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), right = (rank_in(comm) + 1) % size, left = (rank_in(comm) + size - 1) % size;
    through_types(comm, left, right, h);
    incomplete_elements(comm, left, right, h);
    pairs(comm, left, right, h);
    in_one_format(comm, left, right, h);
    attributes(comm, left, right, h);
    many_types(comm, left, right, h);
}
