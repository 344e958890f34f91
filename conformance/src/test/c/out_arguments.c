/*
 * Fills every argument that a call may write with a pattern, makes the call, and prints what the call left: a word that
 * still has the pattern as a dot. A program that reads what MPI leaves undefined must see the same with Reprise as without.
 * Two ranks: rank 1 sends when it is asked to, rank 0 prints.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { POISON = 0x5a5a5a5a, SLOTS = 3, CUE = 1, TAG = 2, NEVER = 3, LARGE = 1 << 18 };

static struct {
    int flag, index, count, indices[SLOTS];
    MPI_Status status, statuses[SLOTS];
    MPI_Message message;
} out;

static MPI_Request requests[SLOTS];
static int numbers[SLOTS][4];
static char large[SLOTS][LARGE];

static void poison(void)
{
    memset(&out, 0x5a, sizeof out);
    out.message = MPI_MESSAGE_NO_PROC;
}

static void print_number(const char *name, int number)
{
    if (number == POISON)
        printf(" %s .", name);
    else if (number == MPI_UNDEFINED)
        printf(" %s undefined", name);
    else
        printf(" %s %d", name, number);
}

static void print_status(const char *name, const MPI_Status *status)
{
    unsigned words[sizeof *status / sizeof(unsigned)];
    memcpy(words, status, sizeof words);
    printf(" %s [", name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] == POISON ? printf(" .") : printf(" %x", words[i]);
    printf(" ]");
}

/* What the call left, of everything it could have written. */
static void tell(const char *what, int code)
{
    int class = code;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    printf("%-34s code %d", what, class);
    print_number("flag", out.flag);
    print_number("index", out.index);
    print_number("count", out.count);
    for (int i = 0; i < SLOTS && i < out.count; i++) /* behind them, Open MPI leaves what it noted for itself */
        print_number("", out.indices[i]);
    print_status("status", &out.status);
    for (int i = 0; i < SLOTS; i++)
        print_status("", &out.statuses[i]);
    printf(" message %s requests",
           out.message == MPI_MESSAGE_NO_PROC ? "." : out.message == MPI_MESSAGE_NULL ? "null" : "set");
    for (int i = 0; i < SLOTS; i++)
        printf(" %s", requests[i] == MPI_REQUEST_NULL ? "null" : "set");
    printf("\n");
}

#define TELL(what, call) (poison(), tell(what ": " #call, call))

/* Polls until it succeeds; the pattern is renewed before each. Printed is the success. */
#define UNTIL(done, what, call)                                                                                        \
    do {                                                                                                               \
        int code_;                                                                                                     \
        do {                                                                                                           \
            poison();                                                                                                  \
            code_ = call;                                                                                              \
        } while (code_ == MPI_SUCCESS && !(done));                                                                     \
        tell(what ": " #call, code_);                                                                                  \
    } while (0)

static void ask(int messages, int ints)
{
    int cue[2] = {messages, ints};
    MPI_Send(cue, 2, MPI_INT, 1, CUE, MPI_COMM_WORLD);
}

static void answer(void)
{
    for (int cue[2];;) {
        MPI_Recv(cue, 2, MPI_INT, 0, CUE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (cue[0] == 0)
            return;
        for (int i = 0; i < cue[0]; i++)
            MPI_Send(cue[1] < 0 ? (void *)large[0] : numbers[0], cue[1] < 0 ? LARGE / 4 : cue[1], MPI_INT, 0, TAG,
                     MPI_COMM_WORLD);
    }
}

static void post(int source, int tag)
{
    for (int i = 0; i < SLOTS; i++)
        MPI_Irecv(numbers[i], 4, MPI_INT, source, tag, MPI_COMM_WORLD, &requests[i]);
}

static void initialise(int source)
{
    for (int i = 0; i < SLOTS; i++)
        MPI_Recv_init(numbers[i], 4, MPI_INT, source, TAG, MPI_COMM_WORLD, &requests[i]);
}

/* ---- Probes ---- */

static void probe(const char *title, int source, int tag)
{
    MPI_Comm world = MPI_COMM_WORLD;
    printf("probes of %s\n", title);
    TELL("fails", MPI_Iprobe(source, NEVER, world, &out.flag, &out.status));
    TELL("fails", MPI_Improbe(source, NEVER, world, &out.flag, &out.message, &out.status));
    TELL("fails, ignored", MPI_Iprobe(source, NEVER, world, &out.flag, MPI_STATUS_IGNORE));
    TELL("fails, ignored", MPI_Improbe(source, NEVER, world, &out.flag, &out.message, MPI_STATUS_IGNORE));
    ask(4, 3);
    UNTIL(out.flag, "succeeds", MPI_Iprobe(source, tag, world, &out.flag, &out.status));
    TELL("blocks", MPI_Probe(source, tag, world, &out.status));
    TELL("receives", MPI_Recv(numbers[0], 4, MPI_INT, source, tag, world, &out.status));
    UNTIL(out.flag, "succeeds", MPI_Improbe(source, tag, world, &out.flag, &out.message, &out.status));
    MPI_Message kept = out.message;
    TELL("matched", MPI_Mrecv(numbers[0], 4, MPI_INT, &kept, &out.status));
    TELL("blocks", MPI_Mprobe(source, tag, world, &out.message, &out.status));
    kept = out.message;
    TELL("matched", MPI_Imrecv(numbers[0], 4, MPI_INT, &kept, &requests[0]));
    TELL("matched", MPI_Wait(&requests[0], &out.status));
    TELL("exchanges", MPI_Sendrecv(numbers[0], 1, MPI_INT, MPI_PROC_NULL, 0, numbers[1], 4, MPI_INT, source, tag, world,
                                   &out.status));
    ask(1, 4);
    TELL("exchanges", MPI_Sendrecv_replace(numbers[0], 4, MPI_INT, MPI_PROC_NULL, 0, source, tag, world, &out.status));
}

static void nobody(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Message kept;
    printf("nobody\n");
    TELL("nobody", MPI_Iprobe(MPI_PROC_NULL, TAG, world, &out.flag, &out.status));
    TELL("nobody", MPI_Improbe(MPI_PROC_NULL, TAG, world, &out.flag, &out.message, &out.status));
    TELL("nobody", MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, world, &out.status));
    out.message = MPI_MESSAGE_NULL;
    TELL("nobody", MPI_Mprobe(MPI_PROC_NULL, TAG, world, &out.message, &out.status));
    kept = MPI_MESSAGE_NO_PROC;
    TELL("nobody", MPI_Mrecv(numbers[0], 4, MPI_INT, &kept, &out.status));
    TELL("nobody", MPI_Recv(numbers[0], 4, MPI_INT, MPI_PROC_NULL, TAG, world, &out.status));
    TELL("nobody", MPI_Sendrecv(numbers[0], 1, MPI_INT, MPI_PROC_NULL, 0, numbers[1], 4, MPI_INT, MPI_PROC_NULL, 0, world,
                                &out.status));
    TELL("nobody", MPI_Sendrecv_replace(numbers[0], 4, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, world, &out.status));
    post(MPI_PROC_NULL, TAG);
    TELL("nobody", MPI_Wait(&requests[0], &out.status));
    TELL("nobody", MPI_Test(&requests[1], &out.flag, &out.status));
    TELL("nobody", MPI_Testsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    post(MPI_PROC_NULL, TAG);
    TELL("nobody", MPI_Waitall(SLOTS, requests, out.statuses));
}

/* ---- Completions ---- */

/* Nothing has come: all these fail. */
static void fail(void)
{
    TELL("fails", MPI_Test(&requests[1], &out.flag, &out.status));
    TELL("fails", MPI_Request_get_status(requests[1], &out.flag, &out.status));
    TELL("fails", MPI_Testany(SLOTS, requests, &out.index, &out.flag, &out.status));
    TELL("fails", MPI_Testsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    TELL("fails", MPI_Testall(SLOTS, requests, &out.flag, out.statuses));
    TELL("fails, ignored", MPI_Test(&requests[1], &out.flag, MPI_STATUS_IGNORE));
    TELL("fails, ignored", MPI_Testany(SLOTS, requests, &out.index, &out.flag, MPI_STATUS_IGNORE));
    TELL("fails, ignored", MPI_Testsome(SLOTS, requests, &out.count, out.indices, MPI_STATUSES_IGNORE));
    TELL("fails, ignored", MPI_Testall(SLOTS, requests, &out.flag, MPI_STATUSES_IGNORE));
}

/* None is active. */
static void none(const char *title)
{
    printf("%s\n", title);
    TELL("none", MPI_Wait(&requests[0], &out.status));
    TELL("none", MPI_Test(&requests[0], &out.flag, &out.status));
    TELL("none", MPI_Request_get_status(requests[0], &out.flag, &out.status));
    TELL("none", MPI_Waitany(SLOTS, requests, &out.index, &out.status));
    TELL("none", MPI_Testany(SLOTS, requests, &out.index, &out.flag, &out.status));
    TELL("none", MPI_Waitsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    TELL("none", MPI_Testsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    TELL("none", MPI_Waitall(SLOTS, requests, out.statuses));
    TELL("none", MPI_Testall(SLOTS, requests, &out.flag, out.statuses));
    TELL("none, ignored", MPI_Waitany(SLOTS, requests, &out.index, MPI_STATUS_IGNORE));
    TELL("none, ignored", MPI_Testany(SLOTS, requests, &out.index, &out.flag, MPI_STATUS_IGNORE));
    TELL("none at all", MPI_Waitany(0, NULL, &out.index, &out.status));
    TELL("none at all", MPI_Testany(0, NULL, &out.index, &out.flag, &out.status));
    TELL("none at all", MPI_Waitsome(0, NULL, &out.count, NULL, MPI_STATUSES_IGNORE));
    TELL("none at all", MPI_Testsome(0, NULL, &out.count, NULL, MPI_STATUSES_IGNORE));
    TELL("none at all", MPI_Testall(0, NULL, &out.flag, MPI_STATUSES_IGNORE));
}

static void begin(bool persistent, int source)
{
    if (persistent)
        MPI_Startall(SLOTS, requests);
    else
        post(source, TAG);
}

/* Each way to complete three receives; of one at a time, the other two are between inactive ones. */
static void complete(const char *title, bool persistent, int source)
{
    printf("%s\n", title);
    if (persistent)
        initialise(source);
    begin(persistent, source);
    fail();
    ask(SLOTS, 3);
    UNTIL(out.flag, "one", MPI_Test(&requests[0], &out.flag, &out.status));
    UNTIL(out.flag, "one", MPI_Request_get_status(requests[1], &out.flag, &out.status));
    TELL("one", MPI_Wait(&requests[1], &out.status));
    TELL("last", MPI_Waitany(SLOTS, requests, &out.index, &out.status));
    begin(persistent, source);
    ask(SLOTS, 3);
    for (int i = 0; i < SLOTS; i++)
        UNTIL(out.flag, "any", MPI_Testany(SLOTS, requests, &out.index, &out.flag, &out.status));
    begin(persistent, source);
    ask(1, 3);
    UNTIL(out.count != 0, "some", MPI_Testsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    ask(1, 3);
    UNTIL(out.count != 0, "some", MPI_Waitsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    TELL("one left, fails", MPI_Testall(SLOTS, requests, &out.flag, out.statuses));
    TELL("one left, fails", MPI_Testany(SLOTS, requests, &out.index, &out.flag, &out.status));
    TELL("one left, fails", MPI_Testsome(SLOTS, requests, &out.count, out.indices, out.statuses));
    ask(1, 3);
    UNTIL(out.flag, "one left", MPI_Testall(SLOTS, requests, &out.flag, out.statuses));
    begin(persistent, source);
    ask(SLOTS, 3);
    UNTIL(out.flag, "all", MPI_Testall(SLOTS, requests, &out.flag, out.statuses));
    begin(persistent, source);
    ask(SLOTS, 3);
    TELL("all", MPI_Waitall(SLOTS, requests, out.statuses));
    if (persistent) {
        none("inactive");
        for (int i = 0; i < SLOTS; i++)
            MPI_Request_free(&requests[i]);
    }
}

/* The message has come before the receive is posted: libraries leave other statuses if not. */
static MPI_Request *post_short(int source)
{
    ask(1, 3);
    MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(numbers[0], 1, MPI_INT, source, TAG, MPI_COMM_WORLD, &requests[0]);
    return requests;
}

static void truncate(const char *title, int source)
{
    printf("%s\n", title);
    ask(1, 3);
    MPI_Probe(1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    TELL("too long", MPI_Recv(numbers[0], 1, MPI_INT, source, TAG, MPI_COMM_WORLD, &out.status));
    TELL("too long", MPI_Wait(post_short(source), &out.status));
    TELL("too long", MPI_Test(post_short(source), &out.flag, &out.status));
    TELL("too long", MPI_Waitany(SLOTS, post_short(source), &out.index, &out.status));
    TELL("too long", MPI_Testany(SLOTS, post_short(source), &out.index, &out.flag, &out.status));
    TELL("too long", MPI_Waitsome(SLOTS, post_short(source), &out.count, out.indices, out.statuses));
    TELL("too long", MPI_Testsome(SLOTS, post_short(source), &out.count, out.indices, out.statuses));
    TELL("too long", MPI_Waitall(SLOTS, post_short(source), out.statuses));
    TELL("too long", MPI_Testall(SLOTS, post_short(source), &out.flag, out.statuses));
}

/* MPICH leaves in the status of a cancelled receive what the request was used for before. */
static void tell_cancelled(MPI_Status *status)
{
    int cancelled;
    MPI_Test_cancelled(status, &cancelled);
    memset(status, 0x5a, sizeof *status);
    printf("cancelled %d: ", cancelled);
}

#define TELL_CANCELLED(status, call)                                                                                   \
    do {                                                                                                               \
        poison();                                                                                                      \
        int code_ = call;                                                                                              \
        tell_cancelled(status);                                                                                        \
        tell(#call, code_);                                                                                            \
    } while (0)

static void cancel(const char *title, int source)
{
    printf("%s\n", title);
    post(source, NEVER);
    for (int i = 0; i < SLOTS; i++)
        MPI_Cancel(&requests[i]);
    TELL_CANCELLED(&out.status, MPI_Wait(&requests[0], &out.status));
    TELL_CANCELLED(&out.status, MPI_Waitany(SLOTS, requests, &out.index, &out.status));
    TELL_CANCELLED(&out.statuses[2], MPI_Waitall(SLOTS, requests, out.statuses));
}

static void send(const char *title, char *buffer, int bytes)
{
    MPI_Request received;
    printf("%s\n", title);
    MPI_Irecv(large[0], bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &received);
    MPI_Isend(buffer, bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &requests[0]);
    UNTIL(out.flag, "sent", MPI_Test(&requests[0], &out.flag, &out.status));
    TELL("sent to itself", MPI_Wait(&received, &out.status));
    MPI_Irecv(large[0], bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &received);
    MPI_Issend(buffer, bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &requests[0]);
    UNTIL(out.flag, "sent", MPI_Testany(1, requests, &out.index, &out.flag, &out.status));
    TELL("sent to itself", MPI_Wait(&received, &out.status));
    MPI_Irecv(large[0], bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &requests[1]);
    MPI_Isend(buffer, bytes, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &requests[0]);
    TELL("sent to itself", MPI_Waitall(SLOTS, requests, out.statuses));
}

/* ---- Errors ---- */

static void err(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    printf("errors\n");
    for (int i = 0; i < SLOTS; i++)
        requests[i] = MPI_REQUEST_NULL;
    TELL("wrong rank", MPI_Iprobe(77, TAG, world, &out.flag, &out.status));
    TELL("wrong rank", MPI_Improbe(77, TAG, world, &out.flag, &out.message, &out.status));
    TELL("wrong tag", MPI_Iprobe(MPI_ANY_SOURCE, -77, world, &out.flag, &out.status));
    TELL("wrong tag", MPI_Probe(MPI_ANY_SOURCE, -77, world, &out.status));
    TELL("wrong tag", MPI_Recv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, -77, world, &out.status));
    TELL("wrong count", MPI_Recv(numbers, -1, MPI_INT, MPI_ANY_SOURCE, TAG, world, &out.status));
    TELL("wrong count", MPI_Irecv(numbers, -1, MPI_INT, MPI_ANY_SOURCE, TAG, world, &requests[0]));
#ifndef OPEN_MPI /* which ends the program */
    TELL("no communicator", MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_NULL, &out.flag, &out.status));
    TELL("no communicator", MPI_Improbe(0, TAG, MPI_COMM_NULL, &out.flag, &out.message, &out.status));
    TELL("no communicator", MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_NULL, &out.status));
#endif
    TELL("wrong count", MPI_Waitany(-1, requests, &out.index, &out.status));
    TELL("wrong count", MPI_Testany(-1, requests, &out.index, &out.flag, &out.status));
    TELL("wrong count", MPI_Waitsome(-1, requests, &out.count, out.indices, out.statuses));
    TELL("wrong count", MPI_Testsome(-1, requests, &out.count, out.indices, out.statuses));
    TELL("wrong count", MPI_Waitall(-1, requests, out.statuses));
    TELL("wrong count", MPI_Testall(-1, requests, &out.flag, out.statuses));
    TELL("no request", MPI_Test(NULL, &out.flag, &out.status));
    TELL("no request", MPI_Wait(NULL, &out.status));
    TELL("no request", MPI_Testany(1, NULL, &out.index, &out.flag, &out.status));
    TELL("no request", MPI_Waitany(1, NULL, &out.index, &out.status));
    TELL("no request", MPI_Testsome(1, NULL, &out.count, out.indices, out.statuses));
    TELL("no request", MPI_Waitsome(1, NULL, &out.count, out.indices, out.statuses));
    TELL("no request", MPI_Testall(1, NULL, &out.flag, out.statuses));
    TELL("no request", MPI_Waitall(1, NULL, out.statuses));
    TELL("no request", MPI_Cancel(&requests[0]));
    TELL("no request", MPI_Request_free(&requests[0]));
    TELL("no request", MPI_Start(&requests[0]));
    TELL("no flag", MPI_Test(&requests[0], NULL, &out.status));
#ifndef OPEN_MPI /* which does not look */
    TELL("no flag", MPI_Iprobe(0, NEVER, world, NULL, &out.status));
#endif
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (rank == 1) {
        answer();
    } else {
        setvbuf(stdout, NULL, _IOLBF, 0);
        for (int i = 0; i < SLOTS; i++)
            requests[i] = MPI_REQUEST_NULL;
        none("null");
        probe("rank 1", 1, TAG);
        probe("any source", MPI_ANY_SOURCE, TAG);
        nobody();
        complete("from rank 1", false, 1);
        complete("from any source", false, MPI_ANY_SOURCE);
        complete("from rank 1, persistent", true, 1);
        complete("from any source, persistent", true, MPI_ANY_SOURCE);
        truncate("too long, from rank 1", 1);
        truncate("too long, from any source", MPI_ANY_SOURCE);
        cancel("cancelled, from rank 1", 1);
        cancel("cancelled, from any source", MPI_ANY_SOURCE);
        send("a short send", large[1], 8);
        send("a long send", large[1], LARGE);
        err();
        ask(0, 0);
    }
    MPI_Finalize();
    return 0;
}
