/*
 * Every scenario that can share a process with others, one line each:
 *
 *     SCENARIO(name, RACES or STEADY, ranks from which on it races, what it is about)
 *
 * RACES: plain runs differ in their hash, given that many ranks. STEADY: all runs of one MPI with the same number of
 * ranks have the same hash, whatever the order of messages. The function is scenario_<name> in <name>.c.
 */
#ifndef CONFORMANCE_SCENARIOS_H
#define CONFORMANCE_SCENARIOS_H

#define SCENARIOS(SCENARIO)                                                                                            \
    SCENARIO(recv_any_source, RACES, 3, "MPI_Recv, any source, one tag")                                               \
    SCENARIO(recv_any_tag, STEADY, 0, "MPI_Recv, any tag, each rank in its turn")                                      \
    SCENARIO(recv_any_both, RACES, 3, "MPI_Recv, any source and any tag")                                              \
    SCENARIO(recv_named_any_tag, STEADY, 0, "MPI_Recv of any tag after a later tag was taken first")                   \
    SCENARIO(irecv_wait, RACES, 3, "MPI_Irecv, any source, one at a time, MPI_Wait")                                   \
    SCENARIO(irecv_waitall, RACES, 3, "several MPI_Irecv, any source, MPI_Waitall with statuses")                      \
    SCENARIO(irecv_waitany, RACES, 3, "several MPI_Irecv, any source, MPI_Waitany and posted again")                   \
    SCENARIO(irecv_waitsome, RACES, 3, "several MPI_Irecv, any source, MPI_Waitsome and posted again")                 \
    SCENARIO(irecv_test, RACES, 2, "MPI_Irecv, any source, polled with MPI_Test")                                      \
    SCENARIO(irecv_testall, RACES, 2, "several MPI_Irecv, any source, polled with MPI_Testall")                        \
    SCENARIO(irecv_testany, RACES, 2, "several MPI_Irecv, any source, polled with MPI_Testany")                        \
    SCENARIO(irecv_testsome, RACES, 2, "several MPI_Irecv, any source, polled with MPI_Testsome")                      \
    SCENARIO(probe_recv, RACES, 3, "MPI_Probe of any source, then MPI_Recv of what was probed")                        \
    SCENARIO(iprobe_recv, RACES, 2, "MPI_Iprobe of any source until it succeeds, then MPI_Recv")

#endif
