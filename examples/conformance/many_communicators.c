#include "scenario.h"

#include <stdlib.h>
#include <string.h>

/*
 * Communicators by the dozen, several made at once without blocking, some refused by a callback; each must keep its
 * identity, or a replay looks for its messages in another one. Ranks hear from their left neighbour; what they hear, and
 * what groups, names and infos say, is in the hash.
 */

enum { TAG = 5 };

/* A token to the right, from anybody of this communicator. */
static void pass(MPI_Comm comm, int token, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), got = -1;
    MPI_Status status;
    MPI_Request request;
    MPI_Isend(&token, 1, MPI_INT, (self + 1) % size, TAG, comm, &request);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    hash_status(h, &status, MPI_INT);
    hash_int(h, got);
}

/* Freed in another order than made, while a receive is open in each. */
static void by_the_dozen(MPI_Comm comm, struct hash *h)
{
    enum { MANY = 24 };
    MPI_Comm comms[MANY];
    MPI_Request receives[MANY], send;
    int got[MANY], size = size_of(comm), self = rank_in(comm);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            if (i % 3 == 0)
                MPI_Comm_dup(i == 0 ? comm : comms[i - 1], &comms[i]);
            else
                MPI_Comm_split(comm, 0, i % 3 == 1 ? self : -self, &comms[i]);
            MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, TAG, comms[i], &receives[i]);
        }
        for (int i = MANY - 1; i >= 0; i--) {
            int token = 100 * i + self;
            MPI_Isend(&token, 1, MPI_INT, (rank_in(comms[i]) + 1) % size, TAG, comms[i], &send);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < MANY; i++) {
            int k = (7 * i + 3) % MANY;
            MPI_Status status;
            if (k % 2 == 0)
                MPI_Comm_free(&comms[k]); /* its receive is still open */
            MPI_Wait(&receives[k], &status);
            hash_status(h, &status, MPI_INT);
            hash_int(h, got[k]);
            if (k % 2 != 0)
                MPI_Comm_free(&comms[k]);
        }
    }
}

/* Several copies under way at once, with messages and a collective between, completed in another order. */
static void copied_at_once(MPI_Comm comm, struct hash *h)
{
    enum { COPIES = 4 };
    MPI_Comm copies[COPIES], of_copy;
    MPI_Request requests[COPIES + 1], again;
    int own = rank_in(comm), sum = 0;
    for (int i = 0; i < COPIES; i++) {
        MPI_Comm_idup(comm, &copies[i], &requests[i]);
#ifdef OPEN_MPI
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE); /* 4.1 hangs in several at once */
#endif
        if (i == 1)
            pass(comm, 10 + own, h);
        if (i == 2)
            MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[COPIES]);
    }
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    pass(copies[2], 20 + own, h);
    MPI_Comm_idup(copies[2], &of_copy, &again);
    MPI_Waitall(COPIES + 1, requests, MPI_STATUSES_IGNORE);
    hash_int(h, sum);
    MPI_Wait(&again, MPI_STATUS_IGNORE);
    pass(of_copy, 30 + own, h);
    for (int i = 0; i < COPIES; i++) {
        pass(copies[i], 40 + own, h);
        MPI_Comm_free(&copies[i]);
    }
    MPI_Comm_free(&of_copy);
}

static void from_groups(MPI_Comm comm, struct hash *h)
{
    int size = size_of(comm), self = rank_in(comm), result, length;
    char name[MPI_MAX_OBJECT_NAME], value[32] = "";
    MPI_Group all, backwards, rest;
    MPI_Comm turned, part, copy;
    MPI_Info info, used;
    MPI_Comm_group(comm, &all);
    MPI_Group_range_incl(all, 1, (int[1][3]){{size - 1, 0, -1}}, &backwards);
    MPI_Comm_create(comm, backwards, &turned);
    MPI_Comm_compare(comm, turned, &result);
    hash_int(h, result == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR));
    hash_int(h, rank_in(turned));
    pass(turned, self, h);
    MPI_Group_excl(all, 1, (int[]){0}, &rest);
    if (self != 0 && MPI_Comm_create_group(comm, rest, 17, &part) == MPI_SUCCESS) {
        pass(part, 50 + self, h);
        MPI_Comm_free(&part);
    }
    MPI_Comm_split(comm, self == 0 ? MPI_UNDEFINED : 1, 0, &part);
    hash_int(h, part == MPI_COMM_NULL);
    if (part != MPI_COMM_NULL) {
        pass(part, 60 + self, h);
        MPI_Comm_free(&part);
    }
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "green");
    MPI_Comm_dup_with_info(turned, info, &copy);
    MPI_Comm_set_name(copy, "turned round");
    MPI_Comm_get_name(copy, name, &length);
    hash_int(h, strcmp(name, "turned round"));
    MPI_Comm_get_info(copy, &used);
    MPI_Info_get(info, "colour", sizeof value - 1, value, &result);
    hash_int(h, result && strcmp(value, "green") == 0);
    pass(copy, 70 + self, h);
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&turned);
    MPI_Group_free(&rest);
    MPI_Group_free(&backwards);
    MPI_Group_free(&all);
}

/* A callback says no: there is no copy, or the communicator is not freed. Then the same is tried without it. */
static int refuse_copy(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *flag)
{
    (void)comm, (void)key, (void)value, (void)copied;
    ++*(int *)extra;
    *flag = 0;
    return MPI_ERR_OTHER;
}

static int refuse_once(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value;
    return ++*(int *)extra % 2 == 0 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void refused(MPI_Comm comm, struct hash *h)
{
    MPI_Comm copy, again = MPI_COMM_NULL;
    int no_copy, no_delete, calls = 0;
    MPI_Comm_dup(comm, &copy);
    return_errors(copy);
    MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &no_copy, &calls);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse_once, &no_delete, &calls);
    MPI_Comm_set_attr(copy, no_copy, &calls);
    hash_int(h, MPI_Comm_dup(copy, &again) == MPI_SUCCESS);
    hash_int(h, again == MPI_COMM_NULL);
    hash_int(h, calls);
    MPI_Comm_delete_attr(copy, no_copy);
    MPI_Comm_set_attr(copy, no_delete, &calls);
    hash_int(h, MPI_Comm_delete_attr(copy, no_delete) == MPI_SUCCESS);
    pass(copy, 80 + rank_in(comm), h);
    MPI_Comm_delete_attr(copy, no_delete);
    MPI_Comm_dup(copy, &again);
    pass(again, 90 + rank_in(comm), h);
    MPI_Comm_free(&again);
    die_of_errors(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&no_copy);
    MPI_Comm_free_keyval(&no_delete);
    hash_int(h, calls);
}

void scenario_many_communicators(MPI_Comm comm, struct hash *h)
{
    by_the_dozen(comm, h);
    copied_at_once(comm, h);
    from_groups(comm, h);
    refused(comm, h);
}
