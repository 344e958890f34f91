/*
 * Every scenario that can share a process with others, one line each:
 *
 *     SCENARIO(name, RACES or STEADY, ranks from which on it races, what it is about)
 *
 * RACES: plain runs differ in their hash, given that many ranks. STEADY: all runs of one MPI with the same number of
 * ranks have the same hash, whatever the order of messages. The function is scenario_<name> in <name>.c.
 *
 * And every program alone_<name>, which cannot share a process:
 *
 *     ALONE(name, RACES or STEADY, ranks from which on it races, how it ends, what it is about)
 *
 * It ends WELL (exit code 0), BADLY (another code or a signal, by intention), MAYBE (well, or with code 77 if this MPI
 * lacks what it needs), or ANYHOW (the launcher is of another mind every time).
 *
 * Define SCENARIO or ALONE and include this file, as often as needed.
 */
#ifndef SCENARIO
#define SCENARIO(name, varies, from_ranks, point)
#endif
#ifndef ALONE
#define ALONE(name, varies, from_ranks, ends, point)
#endif

/* Blocking receives */
SCENARIO(recv_any_source, RACES, 3, "MPI_Recv, any source, one tag")
SCENARIO(recv_any_tag, STEADY, 0, "MPI_Recv, any tag, each rank in its turn")
SCENARIO(recv_any_both, RACES, 3, "MPI_Recv, any source and any tag")
SCENARIO(recv_named_any_tag, STEADY, 0, "MPI_Recv of any tag after a later tag was taken first")
SCENARIO(self_send, RACES, 2, "messages to oneself race with those of others")
SCENARIO(all_to_all, RACES, 3, "every rank sends to all and receives from any")

/* Nonblocking receives and every way to complete them */
SCENARIO(irecv_wait, RACES, 3, "MPI_Irecv, any source, one at a time, MPI_Wait")
SCENARIO(irecv_waitall, RACES, 3, "several MPI_Irecv, any source, MPI_Waitall with statuses")
SCENARIO(irecv_waitany, RACES, 3, "several MPI_Irecv, any source, MPI_Waitany and posted again")
SCENARIO(irecv_waitsome, RACES, 3, "several MPI_Irecv, any source, MPI_Waitsome and posted again")
SCENARIO(irecv_test, RACES, 2, "MPI_Irecv, any source, polled with MPI_Test")
SCENARIO(irecv_testall, RACES, 2, "several MPI_Irecv, any source, polled with MPI_Testall")
SCENARIO(irecv_testany, RACES, 2, "several MPI_Irecv, any source, polled with MPI_Testany")
SCENARIO(irecv_testsome, RACES, 2, "several MPI_Irecv, any source, polled with MPI_Testsome")
SCENARIO(irecv_out_of_order, RACES, 3, "many MPI_Irecv, any source, waited for in another order than posted")
SCENARIO(overlapping_wildcards, RACES, 3, "MPI_Irecv of one tag and of any tag, open at the same time")
SCENARIO(waitall_mixed, RACES, 3, "sends and receives from any source in one MPI_Waitall, on every rank")

/* Send and receive in one call */
SCENARIO(sendrecv_any, RACES, 3, "MPI_Sendrecv from any source, on every rank")
SCENARIO(sendrecv_replace_any, RACES, 3, "MPI_Sendrecv_replace from any source, on every rank")

/* Persistent requests */
SCENARIO(recv_init_wait, RACES, 3, "MPI_Recv_init from any source, MPI_Start, MPI_Wait")
SCENARIO(recv_init_waitany, RACES, 3, "persistent receives from any source, MPI_Startall, MPI_Waitany")
SCENARIO(recv_init_testsome, RACES, 2, "persistent receives from any source, MPI_Testsome, restarted at once")
SCENARIO(recv_init_cancel, RACES, 2, "a persistent receive is started, cancelled and started again")
SCENARIO(persistent_mixed, RACES, 2, "persistent sends and receives in one MPI_Startall and MPI_Testsome")

/* Probes */
SCENARIO(probe_recv, RACES, 3, "MPI_Probe of any source, then MPI_Recv of what was probed")
SCENARIO(probe_twice, RACES, 3, "MPI_Probe of any source twice before one of the two is received")
SCENARIO(iprobe_recv, RACES, 2, "MPI_Iprobe of any source until it succeeds, then MPI_Recv")
SCENARIO(iprobe_then_any, RACES, 2, "MPI_Iprobe of any source succeeds, but MPI_Recv is from any again")
SCENARIO(iprobe_peek, RACES, 2, "MPI_Iprobe of each tag in turn; successes that nothing is received after")

/* Matched probes */
SCENARIO(mprobe_mrecv, RACES, 3, "MPI_Mprobe of any source, then MPI_Mrecv")
SCENARIO(mprobe_imrecv, RACES, 3, "MPI_Mprobe of any source, then MPI_Imrecv")
SCENARIO(improbe_mrecv, RACES, 2, "MPI_Improbe of any source, then MPI_Mrecv")
SCENARIO(improbe_imrecv, RACES, 2, "MPI_Improbe of any source, then MPI_Imrecv")
SCENARIO(mprobe_kept, RACES, 3, "several messages of MPI_Mprobe held at once and received in another order")

/* Requests asked, freed and cancelled */
SCENARIO(request_get_status, RACES, 2, "MPI_Request_get_status until true, then MPI_Wait or MPI_Request_free")
SCENARIO(request_free, RACES, 3, "MPI_Request_free of a receive from any source that is still open")
SCENARIO(cancel_wildcard, RACES, 2, "MPI_Cancel of a receive from any source, sometimes too late")
SCENARIO(cancel_named, RACES, 2, "MPI_Cancel of a receive from a named source, sometimes too late")
SCENARIO(cancel_waitall, RACES, 2, "several receives from any source cancelled at once, MPI_Waitall")

/* Requests of other kinds in the same arrays */
SCENARIO(null_requests, STEADY, 0, "every completion call on null and inactive requests only")
SCENARIO(inactive_requests, RACES, 3, "active receives between null and inactive requests, in all completion calls")
SCENARIO(grequest_calls, STEADY, 0, "how often the functions of a generalized request are called")
SCENARIO(grequest_waitany, RACES, 3, "a generalized request and receives from any source in one MPI_Waitany")
SCENARIO(ibarrier_waitany, RACES, 3, "an MPI_Ibarrier and receives from any source in one MPI_Waitany")
SCENARIO(iallreduce_testsome, RACES, 2, "an MPI_Iallreduce and receives from any source in one MPI_Testsome")
SCENARIO(ibcast_testany, RACES, 2, "an MPI_Ibcast and a receive from any source in one MPI_Testany")
SCENARIO(nbx, RACES, 3, "sparse exchange: MPI_Issend, MPI_Iprobe, and an MPI_Ibarrier when the sends are done")

/* Polls with something done between them */
SCENARIO(poll_and_act, RACES, 2, "MPI_Test and MPI_Iprobe in turn; every third failure lets somebody send")
SCENARIO(poll_then_block, RACES, 2, "MPI_Test a few times, then MPI_Wait")
SCENARIO(work_stealing, RACES, 2, "thieves and victims on every rank: MPI_Iprobe and MPI_Test in turn")
SCENARIO(wtime_loop, RACES, 2, "polls for 2 ms by MPI_Wtime, again and again")

/* Statuses, and messages with nothing in them */
SCENARIO(status_ignore, RACES, 3, "MPI_STATUS_IGNORE in every call that takes a status")
SCENARIO(statuses_ignore, RACES, 3, "MPI_STATUSES_IGNORE in the completion calls that take an array")
SCENARIO(status_error_field, RACES, 3, "what each call leaves in MPI_ERROR of a status when nothing went wrong")
SCENARIO(proc_null, RACES, 3, "receives and probes from MPI_PROC_NULL among those from any source")
SCENARIO(zero_size, RACES, 3, "messages of no elements, with and without a buffer")

/* Datatypes */
SCENARIO(datatype_vector, RACES, 3, "receives from any source into every second element")
SCENARIO(datatype_struct, RACES, 3, "structs from any source, the type freed while the receive is open")
SCENARIO(datatype_lower_bound, RACES, 3, "a type that begins before its buffer, and one with a hole in front")
SCENARIO(packed, RACES, 3, "MPI_PACKED messages of unknown length, probed and unpacked")

SCENARIO(odd_buffers, STEADY, 0, "MPI_BOTTOM, negative and resized bounds, empty types, by every kind of send")

SCENARIO(derived_types, STEADY, 0, "pieces of arrays, pairs, parts of elements, attributes of types that call back")

/* Errors returned */
SCENARIO(refused, STEADY, 0, "sends, receives and exchanges that the library refuses; its error handlers are counted")
SCENARIO(refused_probes, STEADY, 0, "probes and starts that are refused, receives that fail: handlers hear of each once")
SCENARIO(error_codes, STEADY, 0, "codes and handlers of the program's own; what collectives, windows and files refuse")
SCENARIO(truncate_recv, RACES, 3, "MPI_Recv, MPI_Wait and MPI_Test of a message that is too long")
SCENARIO(truncate_waitsome, RACES, 3, "MPI_Waitsome of messages of which some are too long")
SCENARIO(truncate_testsome, RACES, 2, "MPI_Testsome of messages of which some are too long")
SCENARIO(truncate_waitall, RACES, 3, "MPI_Waitall of messages of which some are too long")

/* Sends */
SCENARIO(send_modes, RACES, 3, "blocking sends of all modes, received from any source")
SCENARIO(isend_modes, RACES, 3, "nonblocking sends of all modes, completed by MPI_Waitany")
SCENARIO(send_init_modes, RACES, 3, "persistent sends of all modes, MPI_Startall, MPI_Waitsome")
SCENARIO(ready_send, RACES, 3, "MPI_Rsend, MPI_Irsend, MPI_Rsend_init to receives from any source that are open")
SCENARIO(rendezvous_test, RACES, 2, "sends of 1 MB polled with MPI_Test, received from any source")
SCENARIO(rendezvous_waitany, RACES, 3, "sends of 1 MB to all ranks, MPI_Waitany in the order they are taken")
SCENARIO(send_ends, STEADY, 0, "sends that are freed, cancelled, buffered, started again, to nobody and to oneself")
SCENARIO(floods, STEADY, 0, "thousands of messages, of all lengths, before anybody receives one; the largest tag")

/* Communicators */
SCENARIO(two_communicators, RACES, 2, "receives from any source open on two communicators at once")
SCENARIO(comm_dup, RACES, 2, "a race in the copy of a copy of a communicator")
SCENARIO(comm_idup, RACES, 2, "MPI_Comm_idup polled with MPI_Test while messages race in its parent")
SCENARIO(comm_split, RACES, 3, "races in both parts of a split communicator at once, and a rank in neither")
SCENARIO(comm_split_type, RACES, 2, "a race among the ranks that share memory")
SCENARIO(comm_create, RACES, 3, "a race in a communicator made from a group")
SCENARIO(comm_create_group, RACES, 3, "communicators made by their members only, in another order on each side")
SCENARIO(comm_cart, RACES, 2, "a race in a periodic grid")
SCENARIO(comm_cart_sub, RACES, 4, "a race in every row of a grid")
SCENARIO(comm_graph, RACES, 2, "a race in a ring given as a graph")
SCENARIO(comm_dist_graph, RACES, 2, "a race in a distributed graph, after a neighbourhood collective")
SCENARIO(intercomm, RACES, 2, "receives from any rank of the other group of an intercommunicator")
SCENARIO(intercomm_dup, RACES, 2, "races in what dup, split and create make of an intercommunicator")
SCENARIO(intercomm_merge, RACES, 2, "a race in the merged intercommunicator")
SCENARIO(comm_recreate, RACES, 2, "communicators freed and made again, so that handles are used again")
SCENARIO(comm_free_pending, RACES, 3, "receives from any source that outlive the handle of their communicator")
SCENARIO(many_communicators, STEADY, 0, "communicators by the dozen, several at once, from groups, refused by callbacks")
SCENARIO(topologies, STEADY, 0, "grids and graphs of no dimension, of fewer ranks, with neighbours twice or none")

/* Collectives, callbacks */
SCENARIO(collectives, STEADY, 0, "every collective, in place, by own counts and types, between groups, twelve at once")
SCENARIO(neighbourhoods, RACES, 2, "collectives in topologies and between groups; callbacks that call MPI")

/* Files */
SCENARIO(file_io, RACES, 2, "collective file access among receives from any source")

/* MPI 4 */
#if MPI_VERSION >= 4
SCENARIO(isendrecv_any, RACES, 2, "MPI_Isendrecv from any source, polled with MPI_Test")
SCENARIO(isendrecv_replace_any, RACES, 3, "MPI_Isendrecv_replace from any source, MPI_Wait")
SCENARIO(barrier_init, RACES, 2, "persistent collectives between receives from any source, started in two orders")
SCENARIO(large_count, RACES, 3, "the receives that count in MPI_Count")
#endif

/* Programs of their own: ends without MPI_Finalize, requests open at the end */
ALONE(open_receive, RACES, 3, WELL, "a receive from any source that is still open, unmatched, at MPI_Finalize")
ALONE(unseen_cancel, RACES, 3, WELL, "receives cancelled by a function looked up in the library, past the wrappers")
ALONE(exit, RACES, 3, ANYHOW, "exit without MPI_Finalize, receives open, some of them matched [exit or _exit]")
ALONE(abort, RACES, 3, BADLY, "MPI_Abort in the middle of a race [rank] [receives]")
ALONE(error_abort, RACES, 3, BADLY, "MPI_Abort in an error handler, in the middle of a race [rank] [receives]")
ALONE(segv, RACES, 3, BADLY, "a bad pointer in the middle of a race [rank] [receives]")
ALONE(kill, RACES, 3, BADLY, "SIGKILL in the middle of a race [rank] [receives]")
ALONE(atexit, RACES, 2, WELL, "an exit handler that asks MPI whether it is finalized, and the time")

/* Programs of their own: threads and processes */
ALONE(threads_requested, RACES, 2, WELL, "MPI_THREAD_MULTIPLE asked for, one thread used")
ALONE(threads_serialized, RACES, 2, WELL, "two threads a rank, which send and poll under one lock")
ALONE(openmp, RACES, 2, WELL, "three threads of OpenMP a rank, which take turns by a critical section")
ALONE(threads_multiple, RACES, 3, WELL, "two threads a rank that receive at the same time [own or shared]")
ALONE(fork, RACES, 2, WELL, "ranks that fork and start commands between receives")
ALONE(spawn, RACES, 2, MAYBE, "MPI_Comm_spawn: receives from any child, and from any parent")
ALONE(session, RACES, 2, MAYBE, "MPI 4: a session instead of MPI_Init")

/* Programs of their own: other things that happen by chance */
ALONE(window, RACES, 3, WELL, "tickets drawn with MPI_Fetch_and_op from a window")
ALONE(partitioned, RACES, 2, MAYBE, "MPI 4: MPI_Parrived on the partitions of a message")
ALONE(shared_pointer, RACES, 3, WELL, "writes at the shared file pointer, in the order in which ranks come")
ALONE(poll_file, RACES, 2, WELL, "polls until a file is there: their number comes from outside [path]")

#undef SCENARIO
#undef ALONE
