#include "scenario.h"

#include <stdbool.h>

/*
 * Rank 0 starts with nearly all tasks. A rank without tasks asks another for half of its own and, while it waits for
 * the answer (MPI_Test), answers those who ask it (MPI_Iprobe). Whom it asks next depends on how many polls failed.
 * Rank 0 counts the tasks that are done and in the end tells all to stop; each then goes on answering until all have
 * their answers, which a barrier says.
 */
enum { TAG_STEAL = 1, TAG_LOOT, TAG_DONE, TAG_STOP };
enum { BACK_OFF = 8 };

struct thief {
    MPI_Comm comm;
    int rank, size;
    int tasks, tasks_done;
    int failed;           /* polls, since the beginning */
    int back_off;         /* polls to wait before it asks again */
    int to_finish;        /* rank 0: tasks of all ranks that are not done */
    int loot;
    MPI_Request loot_request;
    struct hash *h;
};

static bool poll(struct thief *t, int source, int tag, MPI_Status *status)
{
    int there;
    MPI_Iprobe(source, tag, t->comm, &there, status);
    if (there) {
        hash_int(t->h, t->failed);
        hash_status(t->h, status, MPI_INT);
    } else {
        t->failed++;
    }
    return there;
}

static void answer_thieves(struct thief *t)
{
    MPI_Status status = {0}; /* MPICH leaves the bit for "cancelled" as it was */
    if (!poll(t, MPI_ANY_SOURCE, TAG_STEAL, &status))
        return;
    int half = t->tasks / 2;
    MPI_Recv(NULL, 0, MPI_INT, status.MPI_SOURCE, TAG_STEAL, t->comm, MPI_STATUS_IGNORE);
    MPI_Send(&half, 1, MPI_INT, status.MPI_SOURCE, TAG_LOOT, t->comm);
    t->tasks -= half;
}

static void look_for_loot(struct thief *t)
{
    MPI_Status status = {0}; /* MPICH leaves the bit for "cancelled" as it was */
    int done;
    if (t->loot_request == MPI_REQUEST_NULL)
        return;
    MPI_Test(&t->loot_request, &done, &status);
    if (!done) {
        t->failed++;
        return;
    }
    hash_int(t->h, t->failed);
    hash_status(t->h, &status, MPI_INT);
    hash_int(t->h, t->loot);
    t->tasks += t->loot;
    t->back_off = t->loot == 0 ? BACK_OFF : 0;
}

static void ask_for_loot(struct thief *t)
{
    if (t->loot_request != MPI_REQUEST_NULL || t->back_off-- > 0)
        return;
    int victim = (t->rank + 1 + t->failed % (t->size - 1)) % t->size;
    MPI_Irecv(&t->loot, 1, MPI_INT, MPI_ANY_SOURCE, TAG_LOOT, t->comm, &t->loot_request);
    MPI_Send(NULL, 0, MPI_INT, victim, TAG_STEAL, t->comm);
}

static void do_task(struct thief *t)
{
    jitter();
    t->tasks--;
    t->tasks_done++;
    if (t->rank == 0)
        t->to_finish--;
    else
        MPI_Send(NULL, 0, MPI_INT, 0, TAG_DONE, t->comm);
}

static bool stop(struct thief *t)
{
    MPI_Status status = {0}; /* MPICH leaves the bit for "cancelled" as it was */
    if (t->rank != 0) {
        if (!poll(t, 0, TAG_STOP, &status))
            return false;
        MPI_Recv(NULL, 0, MPI_INT, 0, TAG_STOP, t->comm, MPI_STATUS_IGNORE);
        return true;
    }
    if (poll(t, MPI_ANY_SOURCE, TAG_DONE, &status)) {
        MPI_Recv(NULL, 0, MPI_INT, status.MPI_SOURCE, TAG_DONE, t->comm, MPI_STATUS_IGNORE);
        t->to_finish--;
    }
    for (int rank = 1; t->to_finish == 0 && rank < t->size; rank++)
        MPI_Send(NULL, 0, MPI_INT, rank, TAG_STOP, t->comm);
    return t->to_finish == 0;
}

static void settle(struct thief *t)
{
    MPI_Request barrier;
    int all_settled = 0;
    while (t->loot_request != MPI_REQUEST_NULL) {
        answer_thieves(t);
        look_for_loot(t);
    }
    MPI_Ibarrier(t->comm, &barrier);
    while (!all_settled) {
        answer_thieves(t);
        MPI_Test(&barrier, &all_settled, MPI_STATUS_IGNORE);
        t->failed += !all_settled;
    }
}

void scenario_work_stealing(MPI_Comm comm, struct hash *h)
{
    struct thief t = {.comm = comm, .rank = rank_in(comm), .size = size_of(comm), .h = h,
                      .loot_request = MPI_REQUEST_NULL};
    t.tasks = t.rank == 0 ? 12 * t.size : 1;
    t.to_finish = 12 * t.size + t.size - 1;
    while (!stop(&t)) {
        answer_thieves(&t);
        look_for_loot(&t);
        if (t.tasks > 0)
            do_task(&t);
        else
            ask_for_loot(&t);
    }
    settle(&t);
    hash_int(h, t.tasks_done);
    hash_int(h, t.failed);
}
