/*
 * MPI 4: no MPI_Init, a session and a communicator made from it.
 *
 *     mpirun -n 4 alone_session
 */
#include "note.h"
#include "report.h"

#include <stdio.h>

#if MPI_VERSION >= 4
int main(void)
{
    struct hash h = hash_start();
    MPI_Session session;
    MPI_Group world;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "alone_session", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&world);
    race_to_zero(comm, &h);
    if (rank_in(comm) == 0)
        report_own_hash("alone_session", &h);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
#else
int main(void)
{
    fprintf(stderr, "alone_session: this MPI is older than MPI 4\n");
    return 77;
}
#endif
