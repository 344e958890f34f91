#include "scenario.h"

#include <string.h>

/*
 * Errors of the program's own and of the library: classes, codes and texts that are added, handlers that are called by
 * hand, given to copies, taken away while they run, and hear of collectives, types, requests and files that are refused. What
 * they hear, and what each call returns, is in the hash.
 */

static struct hash *heard;
static MPI_Errhandler second;

static void hear(MPI_Comm *comm, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    hash_int(heard, class);
    hash_int(heard, size_of(*comm));
}

/* Puts another in its own place. */
static void hear_once(MPI_Comm *comm, int *code, ...)
{
    hear(comm, code);
    hash_int(heard, 1000);
    MPI_Comm_set_errhandler(*comm, second);
}

static void hear_of_window(MPI_Win *window, int *code, ...)
{
    int class;
    (void)window;
    MPI_Error_class(*code, &class);
    hash_int(heard, 2000 + class);
}

static void hear_of_file(MPI_File *file, int *code, ...)
{
    int class;
    hash_int(heard, *file == MPI_FILE_NULL);
    MPI_Error_class(*code, &class);
    hash_int(heard, 3000 + class);
}

static void hash_text(struct hash *h, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    hash_int(h, length);
    for (int i = 0; i < length; i++)
        hash_int(h, text[i]);
}

static void codes_of_our_own(MPI_Comm comm, struct hash *h)
{
    int class, code[3], of, *last, there;
    MPI_Add_error_class(&class);
    for (int i = 0; i < 3; i++)
        MPI_Add_error_code(class, &code[i]);
    MPI_Add_error_string(class, "a class of our own");
    MPI_Add_error_string(code[1], "a code of our own");
    MPI_Error_class(code[1], &of);
    hash_int(h, of == class);
    hash_text(h, class);
    hash_text(h, code[0]);
    hash_text(h, code[1]);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &there);
    hash_int(h, there && *last >= class);
    heard = h;
    hash_int(h, MPI_Comm_call_errhandler(comm, MPI_ERR_RANK) == MPI_SUCCESS);
    for (int i = MPI_SUCCESS; i <= MPI_ERR_OTHER; i++)
        hash_text(h, i);
}

/* Every function that hears of a communicator it can do nothing with, or of a root that is not there. */
static void refused_collectives(MPI_Comm comm, struct hash *h)
{
    int data[4] = {0}, size = size_of(comm), colour = 0;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    hash_error(h, MPI_Bcast(data, 1, MPI_INT, size, comm));
    hash_error(h, MPI_Bcast(data, -1, MPI_INT, 0, comm));
    hash_error(h, MPI_Reduce(data, data + 1, 1, MPI_INT, MPI_OP_NULL, 0, comm));
    hash_error(h, MPI_Allreduce(data, data + 1, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
    hash_error(h, MPI_Gather(data, 1, MPI_INT, data + 1, 1, MPI_INT, -9, comm));
    hash_error(h, MPI_Ibcast(data, 1, MPI_INT, size, comm, &request));
    hash_int(h, request == MPI_REQUEST_NULL);
    hash_error(h, MPI_Comm_split(comm, -7, 0, &made));
    hash_error(h, MPI_Cart_create(comm, 1, (int[]){size + 1}, &colour, 0, &made));
    hash_int(h, made == MPI_COMM_NULL);
    hash_error(h, MPI_Cart_shift(comm, 0, 1, data, data + 1));
}

static void inherited(MPI_Comm comm, struct hash *h)
{
    MPI_Comm copy, part;
    MPI_Errhandler handler;
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_split(comm, rank_in(comm) % 2, 0, &part);
    MPI_Comm_get_errhandler(copy, &handler);
    MPI_Comm_set_errhandler(part, handler);
    MPI_Errhandler_free(&handler); /* while it is still set */
    hash_error(h, MPI_Send(&(int){0}, 1, MPI_INT, size_of(comm), 0, copy));
    hash_error(h, MPI_Send(&(int){0}, 1, MPI_INT, size_of(comm), 0, part));
    MPI_Comm_create_errhandler(hear, &second);
    MPI_Comm_create_errhandler(hear_once, &handler);
    MPI_Comm_set_errhandler(copy, handler);
    MPI_Errhandler_free(&handler);
    for (int i = 0; i < 2; i++)
        hash_error(h, MPI_Recv(&(int){0}, 1, MPI_INT, MPI_ANY_SOURCE, -4, copy, MPI_STATUS_IGNORE));
    MPI_Errhandler_free(&second);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&part);
}

static void of_windows_and_files(MPI_Comm comm, struct hash *h)
{
    int memory[4] = {0};
    MPI_Win window;
    MPI_File file;
    MPI_Errhandler handler, of_file;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, comm, &window);
    MPI_Win_create_errhandler(hear_of_window, &handler);
    MPI_Win_set_errhandler(window, handler);
    MPI_Win_fence(0, window);
    hash_error(h, MPI_Put(memory, 1, MPI_INT, size_of(comm), 0, 1, MPI_INT, window));
    MPI_Win_fence(0, window);
    MPI_Win_call_errhandler(window, MPI_ERR_OTHER);
    MPI_Errhandler_free(&handler);
    MPI_Win_free(&window);
    MPI_File_create_errhandler(hear_of_file, &of_file);
    MPI_File_set_errhandler(MPI_FILE_NULL, of_file);
    hash_int(h, MPI_File_open(MPI_COMM_SELF, "/no such directory/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) ==
                    MPI_SUCCESS);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&of_file);
}

/* The last of a row is too long: the others are whole, and the row says so. */
static void in_statuses(MPI_Comm comm, struct hash *h)
{
    enum { ROW = 4 };
    int size = size_of(comm), right = (rank_in(comm) + 1) % size, out[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in[ROW][8] = {{0}};
    MPI_Request sends[ROW], receives[ROW];
    MPI_Status statuses[ROW];
    for (int i = 0; i < ROW; i++)
        MPI_Irecv(in[i], i == ROW - 1 ? 1 : 8, MPI_INT, i % 2 ? MPI_ANY_SOURCE : (rank_in(comm) + size - 1) % size, i, comm,
                  &receives[i]);
    MPI_Barrier(comm);
    for (int i = 0; i < ROW; i++)
        MPI_Isend(out, 5 + i, MPI_INT, right, i, comm, &sends[i]);
    memset(statuses, 0, sizeof statuses);
    hash_error(h, MPI_Waitall(ROW, receives, statuses));
    for (int i = 0; i < ROW; i++) {
        hash_error(h, statuses[i].MPI_ERROR);
        if (i < ROW - 1)
            hash_int(h, in[i][4 + i]);
        if (receives[i] != MPI_REQUEST_NULL)
            MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
    }
    MPI_Waitall(ROW, sends, MPI_STATUSES_IGNORE);
}

void scenario_error_codes(MPI_Comm comm, struct hash *h)
{
    MPI_Errhandler handler;
    heard = h;
    MPI_Comm_create_errhandler(hear, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    codes_of_our_own(comm, h);
    refused_collectives(comm, h);
    inherited(comm, h);
    of_windows_and_files(comm, h);
    return_errors(comm);
    in_statuses(comm, h);
    die_of_errors(comm);
}
