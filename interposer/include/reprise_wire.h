/*
 * The contract between the interposer, which lives in the ranks, and Reprise, which is Java.
 *
 * Nothing else is shared. Every rank writes one file `rank-<r>.order` (what replay must force) and, unless inputs are
 * off, one file `rank-<r>.inputs` (what the program read from clocks and random sources); where they were asked for, the
 * full events in `rank-<r>.events`. All begin with the header below and go on with records. docs/TRACE-FORMAT.md describes the same bytes in prose; change the two together, and
 * raise REPRISE_WIRE_VERSION whenever a reader of the old format would misread the new one.
 *
 * All numbers are little endian. A file is valid up to `committed` bytes after the header at every instant: a record
 * is written first and committed afterwards, so the file of a rank that was killed needs no repair.
 */
#ifndef REPRISE_WIRE_H
#define REPRISE_WIRE_H

#include <stdint.h>

#define REPRISE_WIRE_VERSION 4
#define REPRISE_WIRE_OLDEST 2 /* readers also read these: 3 has no ASKED among its events and no POLLS with EVF_POLL, 2 has no TICKS,
                                 FAR and NEAR among its inputs besides; they differ in nothing else */
#define REPRISE_MAGIC "REPRISE\n"
#define REPRISE_HEADER_BYTES 8192
#define REPRISE_CALLS_MAX 512
#define REPRISE_FRAMES_MAX 64 /* of one stack, in sites */
#define REPRISE_INLINE 12 /* first operands below stand in a record's first byte */

/* How the launcher talks to the interposer: environment variables, words rather than numbers. */
#define REPRISE_ENV_MODE "REPRISE_MODE"     /* record, replay, follow (replay a plan and record what comes of it), or
                                               shake (jitter only); unset: pass everything through */
#define REPRISE_ENV_RUN "REPRISE_RUN"       /* directory in which this process creates its rank files */
#define REPRISE_ENV_PLAN "REPRISE_PLAN"     /* replay, follow: directory with the recorded or planned rank files */
#define REPRISE_ENV_UNCOPIED "REPRISE_UNCOPIED" /* replay: sends of so many bytes or more, decimal, need no private copy */
#define REPRISE_ENV_WATCH "REPRISE_WATCH"   /* set: ranks count what they send and take, so that a deadlock can be recognised */
#define REPRISE_ENV_EAGER "REPRISE_EAGER"   /* standard sends of more than so many bytes, decimal, wait for their receives; -1: all */
#define REPRISE_ENV_REST "REPRISE_REST"     /* watched: who ends the job lets the others go on for so many seconds at most, decimal,
                                               until there is a file "rest" in the run */
#define REPRISE_ENV_JITTER "REPRISE_JITTER" /* seed, decimal; delays ranks at random around MPI calls */
#define REPRISE_ENV_INPUTS "REPRISE_INPUTS" /* "off": leave clocks and random sources alone */
#define REPRISE_ENV_EVENTS "REPRISE_EVENTS" /* full events, with so many frames of the stack, decimal; unset: none.
                                               "1,8": 1 is wanted, and 8 are kept to see past wrappers of MPI */
#define REPRISE_ENV_LIVE "REPRISE_LIVE"     /* with events: they go through a ring to a reader and are not kept. What a rank does
                                               when the ring is full, wait, order or spill, a colon, and the bytes of
                                               the ring, decimal. The reader holds a lock of the file "live.lock" in the run */
#define REPRISE_ENV_POLLS "REPRISE_POLLS"   /* with events: polls say what they ask for; of the same poll so many failures in a row,
                                               decimal, are events of their own, and the others are summed up; unset: all are */
#define REPRISE_ENV_HOLD "REPRISE_HOLD"     /* with events: directory of the debugger that holds the ranks */
#define REPRISE_ENV_MARKS "REPRISE_MARKS"   /* with a hold: directory with the plan of the checkpoints to be taken */

enum reprise_file { REPRISE_ORDER = 1, REPRISE_INPUTS = 2, REPRISE_EVENTS = 3, REPRISE_SITES = 4, REPRISE_WAITS = 5,
                    REPRISE_LIVE = 6 };
enum reprise_mode { REPRISE_OFF = 0, REPRISE_RECORD = 1, REPRISE_REPLAY = 2, REPRISE_SHAKE = 3, REPRISE_FOLLOW = 4 };
/* No interposer writes the last one: it is the engine that Reprise has itself. */
enum reprise_mpi { REPRISE_MPI_OTHER = 0, REPRISE_MPI_OPEN_MPI = 1, REPRISE_MPI_MPICH = 2, REPRISE_MPI_EMBEDDED = 3 };

/* How far a rank got. A rank that was killed or crashed stays RUNNING: nobody was left to say otherwise. */
enum reprise_state {
  REPRISE_RUNNING = 0,
  REPRISE_FINALIZED = 1, /* MPI_Finalize was entered and all open receives were resolved */
  REPRISE_ABORTED = 2,   /* MPI_Abort; exit_code is its error code */
  REPRISE_EXITED = 3     /* exit() without MPI_Finalize; exit_code is its status */
};

/* header.flags */
enum {
  REPRISE_FLAG_DISK_FULL = 1,     /* recording stopped because the file could not grow */
  REPRISE_FLAG_MANY_THREADS = 2,  /* MPI was called from more than one thread */
  REPRISE_FLAG_CONCURRENT = 4,    /* ... and at the same time: MPI_THREAD_MULTIPLE in earnest */
  REPRISE_FLAG_REACHED_END = 8,   /* replay: everything that was recorded, or planned, has been replayed */
  REPRISE_FLAG_EXIT_SEEN = 16,    /* exit_code holds the process's exit status */
  REPRISE_FLAG_SPAWNED = 32,      /* MPI_Comm_spawn child: not recorded */
  REPRISE_FLAG_SECOND_JOB = 64,   /* this rank's file existed already: another MPI job in the same recording */
  REPRISE_FLAG_TURNS_GIVEN_UP = 128, /* replay: the recorded order of threads could not be kept any longer */
  REPRISE_FLAG_PLAN = 256, /* no recording but a plan: posts without an outcome are free, and so is all behind its end */
  REPRISE_FLAG_SEND_CANCELLED = 512, /* a send was cancelled: a replay does not send it */
  REPRISE_FLAG_STOPPING = 1024, /* it ends the job, and waited for the others to come to rest */
  REPRISE_FLAG_EVENTS_DROPPED = 2048 /* live: the ring was full, and events end there */
};

/* header.divergence.what */
enum reprise_divergence {
  REPRISE_SAME = 0,
  REPRISE_OTHER_CALL = 1,     /* the program made another kind of call than the next outcome belongs to */
  REPRISE_OTHER_REQUESTS = 2, /* the recorded index is outside the request array, or its request is null */
  REPRISE_MORE_CALLS = 3,     /* the recorded run had ended with MPI_Finalize, and this one goes on */
  REPRISE_FEWER_CALLS = 4,    /* MPI_Finalize while recorded outcomes are left */
  REPRISE_OTHER_MESSAGES = 5  /* order hash differs at a check: sizes, tags, or named sources of messages changed */
};

struct reprise_divergence_note {
  uint32_t what;             /* enum reprise_divergence; written last */
  uint32_t call;             /* call id of the program's call (index in calls.def) */
  uint64_t outcome;          /* number of the outcome, counted over all records of the file from 0 */
  uint64_t call_number;      /* how many MPI calls the rank had entered, this one included */
  uint64_t nanos;            /* CLOCK_MONOTONIC: tells which rank diverged first */
  uint32_t expected_kind;    /* enum reprise_kind of the recorded outcome */
  uint32_t reserved;
  int64_t expected[2];       /* its first operands (source, tag; or index) */
  int64_t found[2];          /* what the program asked for (source, tag; or number of requests); hash halves at a check */
};

/* What a blocking call waits for. Negative peers and tags are wildcards, whatever the MPI calls them. */
enum reprise_wait {
  REPRISE_WAIT_UNKNOWN = 0,
  REPRISE_WAIT_RECEIVE = 1,
  REPRISE_WAIT_SEND = 2,
  REPRISE_WAIT_OTHER = 3,
  REPRISE_WAIT_COLLECTIVE = 4 /* tag: its number on the communicator, from 1; only where REPRISE_WATCH is set */
};

struct reprise_wait_note {
  uint16_t call; /* id + 1 of the call that waits; stale, if it is not current_call */
  uint16_t what; /* enum reprise_wait */
  int32_t peer, tag;
  uint32_t comm; /* low half of the communicator's identity; 0 unknown */
};

struct reprise_header {
  char magic[8];
  uint32_t version;
  uint32_t header_bytes; /* where the records begin */
  uint32_t file;         /* enum reprise_file */
  uint32_t mode;         /* enum reprise_mode of the process that wrote it */
  uint32_t mpi;          /* enum reprise_mpi */
  uint32_t rank;         /* in MPI_COMM_WORLD */
  uint32_t ranks;
  uint32_t pid;
  uint32_t state;       /* enum reprise_state */
  int32_t exit_code;
  uint32_t flags;
  uint32_t thread_level;  /* as provided by MPI_Init_thread */
  uint64_t start_nanos;   /* CLOCK_REALTIME */
  uint64_t end_nanos;     /* 0 while running */
  uint64_t committed;     /* bytes of whole records after the header */
  uint64_t outcomes;      /* whole records among them */
  uint64_t failed_polls;  /* since the last POLLS record: the tail that has no record yet */
  uint64_t polls_failed_total;
  uint64_t receives;      /* messages received */
  uint64_t events;        /* hashed events; hash[events & 1] is the order hash after that many */
  uint64_t hash[2];
  uint64_t calls;         /* inputs file: records made before MPI_Init. In an order file call_counts says it */
  uint32_t current_call;  /* id + 1 of the MPI call the rank is in, 0 outside MPI or in an MPI_Isend */
  int32_t waiting_source; /* replay: source the current call was told to wait for; -1 none */
  uint64_t posts;         /* non-blocking point-to-point operations started so far */
  /* Replay only. */
  uint64_t replayed;         /* outcomes consumed */
  uint64_t polls_beyond;     /* polls that had no recorded outcome: soft differences */
  uint64_t polls_skipped;    /* recorded failed polls that the program did not make */
  uint64_t sends_deferred;   /* sends that the transport did not finish when the recording's did */
  uint64_t hash_at_end;      /* the hash when `events` was that of the recording */
  uint64_t inputs_unmatched; /* reads of a clock or random source that had no recorded value */
  struct reprise_divergence_note divergence;
  char host[64];
  char executable[512];
  uint64_t tail_from; /* events: 1 + how many of the committed bytes stand behind the header, the others standing in
                         rank-<r>.tail; 0: all stand behind the header */
  uint64_t order_start_nanos; /* events, sites: start_nanos of the order file that they belong to, written by Reprise when
                                 they are kept; 0: not known */
  uint64_t caller;       /* where the current call returns to, in this process */
  uint64_t program_base; /* what its addresses in the executable are more than those in the file */
  uint64_t program_start, program_end; /* its executable lies here */
  struct reprise_wait_note waits[8];   /* of a blocking call the first; of Wait* those that `answer_signal` asked for */
  uint32_t wait_count;                 /* requests that the current Wait* is given; 0 until answer_signal asks */
  uint32_t answer_signal; /* replay: at this signal the rank writes its stack to rank-<r>.where; 0: it does not */
  uint32_t frames_wanted; /* sites: frames of a stack to show; more are there to see past wrappers. 0: show all */
  uint32_t reserved_word;
  uint64_t rendezvous_bytes; /* standard sends of so many bytes or more complete only because of their receive; 0 unknown */
  /* live: */
  uint64_t ring_bytes;    /* the n-th committed byte, from 0, stands at n mod ring_bytes in rank-<r>.ring, unless it stands
                             behind the header, as those from file_from to tail_from - 1 do */
  uint64_t file_from;     /* stored before tail_from; changes only where all bytes behind the header have been taken */
  uint64_t taken;         /* the reader's: so many committed bytes need not be kept any longer */
  uint64_t waited_nanos;  /* how long the rank has waited for the reader */
  uint64_t spilled_bytes; /* moved behind the header, as the ring was full */
  uint8_t reserved[4096 - 1096];
  uint64_t call_counts[REPRISE_CALLS_MAX]; /* by call id */
};
_Static_assert(sizeof(struct reprise_header) == REPRISE_HEADER_BYTES, "the header is 8 KiB");

/*
 * Records. The first byte holds the kind in its low four bits and the first operand in its high four bits, if it is
 * below REPRISE_INLINE. Otherwise 12 to 15 stand there and n behind, as a LEB128 number; the operand is the one plus 4n.
 * Two bytes then suffice up to 523, which ranks and rows of failed polls seldom exceed. Further operands are LEB128.
 * A zero byte never begins a record. Two streams share the file: outcomes of calls, taken in program order, and
 * outcomes of posts, looked up by post number (a post is any non-blocking send or receive and any Start).
 */
enum reprise_kind {
  REPRISE_END = 0,
  REPRISE_RECV = 1,      /* source: a blocking receive with a wildcard source took this */
  REPRISE_RECV_TAG = 2,  /* source, tag: ... with a wildcard tag */
  REPRISE_PROBE = 3,     /* source: a blocking Probe or Mprobe saw this */
  REPRISE_PROBE_TAG = 4, /* source, tag */
  REPRISE_POST = 5,      /* source, post: a non-blocking wildcard receive took this */
  REPRISE_POST_TAG = 6,  /* source, post, tag */
  REPRISE_POST_END = 7,  /* enum reprise_post_end, post: the post ended without a message */
  REPRISE_POLLS = 8,     /* n: so many polls failed since the last outcome of a call */
  REPRISE_HIT = 9,       /* enum reprise_poll: this poll succeeded; it had no choice of source */
  REPRISE_FOUND = 10,    /* source: an Iprobe or Improbe succeeded */
  REPRISE_FOUND_TAG = 11,/* source, tag */
  REPRISE_INDEX = 12,    /* index + 1, 0 for MPI_UNDEFINED: Waitany or a successful Testany */
  REPRISE_INDICES = 13,  /* n + 1, 0 for MPI_UNDEFINED; then n indices: Waitsome or a successful Testsome */
  REPRISE_ERROR = 14,    /* n, code, then n codes: the call before returned this code and these MPI_ERROR fields */
  REPRISE_MORE = 15      /* enum reprise_more, then its operands */
};

enum reprise_post_end { REPRISE_CANCELLED = 0, REPRISE_NEVER = 1 };

enum reprise_poll {
  REPRISE_TEST = 0,
  REPRISE_TESTALL = 1,
  REPRISE_GET_STATUS = 2,
  REPRISE_IPROBE = 3,
  REPRISE_IMPROBE = 4,
  REPRISE_PARRIVED = 5,
  REPRISE_WIN_TEST = 6
};

enum reprise_more {
  REPRISE_CHECK = 0,  /* low 32 bits of the order hash at this point */
  REPRISE_THREAD = 1, /* thread: the outcomes of calls that follow belong to this thread (0 made MPI_Init) */
  REPRISE_TURN = 2,   /* operations, thread: after so many more of the one before, it was this thread's turn. Ordered
                         operations are MPI calls and, from MPI_THREAD_SERIALIZED on, the program's mutexes */
  REPRISE_FREE = 3,   /* n: so many blocking wildcard receives or probes need not be forced (distilled runs) */
  REPRISE_AGAIN = 4   /* n: the outcome of a call before this happened n more times in a row (distilled runs) */
};

/*
 * A post number is written as the zigzag difference to the one that would follow the last written post number, so that
 * posts that end in order cost one byte. The first expected post number is 0.
 *
 * Records of an .inputs file have the same shape, other kinds. Times are zigzag differences to the last value that the same
 * thread read from the same clock, in nanoseconds (TIME: seconds), pids are plain numbers, bytes are a length and the bytes.
 *
 * NEAR and FAR are another reading of the clock that the thread read last. They hold a code: the zigzag of how much the
 * difference is more than expected. A clock expects one difference for each class of the difference before it. The class is the
 * number of bits in the difference, without its sign, and REPRISE_IN_CLASSES - 1 at most. After every reading, of whatever
 * kind, what was expected moves by half of its error (rounded down), by REPRISE_IN_STEP_MAX at most. All begin with 0.
 */
enum reprise_input {
  REPRISE_IN_END = 0,
  REPRISE_IN_CLOCK = 1,   /* clock id, zigzag delta nanos */
  REPRISE_IN_WTIME = 2,   /* low nibble unused (0), then 8 bytes of an IEEE double */
  REPRISE_IN_TIME = 3,    /* 0, zigzag delta seconds */
  REPRISE_IN_TOD = 4,     /* 0, zigzag delta microseconds */
  REPRISE_IN_BYTES = 5,   /* length, bytes: getrandom, getentropy, arc4random, random_device, /dev/urandom */
  REPRISE_IN_PID = 6,     /* 0, pid */
  REPRISE_IN_CPU = 7,     /* 0, zigzag delta of clock() */
  REPRISE_IN_THREAD = 8,  /* thread: the records that follow belong to this thread */
  REPRISE_IN_TICKS = 9,   /* enum reprise_ticks, zigzag delta nanos: MPI_Wtime, made of so many nanoseconds */
  REPRISE_IN_FAR = 10,    /* 2 bytes: the code is NEAR_CODES + the high four bits of the first + 16 times the second */
  REPRISE_IN_NEAR = 11    /* to 15, 1 byte: the code is 16 times the kind less 11, + the high four bits */
};
#define REPRISE_IN_NEAR_CODES 80
#define REPRISE_IN_FAR_CODES 4096
#define REPRISE_IN_CLASSES 16
#define REPRISE_IN_STEP_MAX 16

/*
 * How the double is made of whole seconds s and nanoseconds n, each operation rounded to a double. Open MPI takes the time
 * of the first call off seconds and nanoseconds apart, so about half of the time its nanoseconds are negative.
 */
enum reprise_ticks {
  REPRISE_TICKS_DIVIDED = 0,    /* s + n / 1e9: Open MPI */
  REPRISE_TICKS_MULTIPLIED = 1, /* s + n * 1e-9: MPICH */
  REPRISE_TICKS_FROM_ABOVE = 2  /* (s + 1) + (n - 1e9) / 1e9: Open MPI */
};
#define REPRISE_TICKS_FORMS 3

/*
 * Records of an .events file: 32 bytes each but for REPRISE_EV_AGAIN, written when a call returns, in the order in which
 * calls return. Most are events; the rest (from REPRISE_EV_COMM to REPRISE_EV_THREAD) say something about the event or the
 * communicator before or behind them and are not counted when events are numbered, from 0. `outcomes` of the header counts records, not events.
 *
 * A call that is several events (Waitall, Sendrecv) has a record for each: all but the last have REPRISE_EVF_JOINED and
 * times 0, the last has the call's times. They are committed together, as are records with those that explain them.
 * Sendrecv is a SEND and a RECV, Isendrecv a POST_SEND and a POST_RECV (its request is the POST_RECV's). A start of a
 * persistent request is a POST_SEND, POST_RECV or POST_COLLECTIVE of its own. Operations with MPI_PROC_NULL are LOCAL.
 */
enum reprise_event_kind {
  REPRISE_EV_NONE = 0,
  REPRISE_EV_SEND = 1,            /* a blocking send */
  REPRISE_EV_POST_SEND = 2,       /* a send that a COMPLETE ends */
  REPRISE_EV_RECV = 3,            /* a blocking receive: peer, tag, bytes are those of the message it took */
  REPRISE_EV_POST_RECV = 4,       /* a receive that a COMPLETE ends: peer and tag are what it asks for */
  REPRISE_EV_MPROBE = 5,          /* Mprobe, successful Improbe: takes a message as a receive does */
  REPRISE_EV_MRECV = 6,           /* link: the MPROBE whose message it receives */
  REPRISE_EV_POST_MRECV = 7,      /* link: the MPROBE; a COMPLETE ends it */
  REPRISE_EV_PROBE = 8,           /* Probe, successful Iprobe: sees a message and takes nothing */
  REPRISE_EV_COMPLETE = 9,        /* link: the POST_*; of a POST_RECV peer, tag, bytes are those of the message */
  REPRISE_EV_COLLECTIVE = 10,     /* tag: enum reprise_flow; peer: the root, if the flow has one; bytes sent by this rank */
  REPRISE_EV_POST_COLLECTIVE = 11,/* the same, and a COMPLETE ends it */
  REPRISE_EV_CANCEL = 12,         /* link: the POST_*: the program asked for its end */
  REPRISE_EV_FREE = 13,           /* link: the POST_*: Request_free while it was active; no COMPLETE follows */
  REPRISE_EV_POLLS = 14,          /* so many polls failed, in bytes; at most 2^32 - 2 a record. With EVF_POLL it is one, and says what it
                                     asked for: requests, which an ASKED before it lists; or a message, as a POST_RECV does */
  REPRISE_EV_MATCHED = 15,        /* no call: the recorder found that this open or freed POST_RECV (link) had taken this */
  REPRISE_EV_UNMATCHED = 16,      /* no call: ... had taken nothing when MPI_Finalize was entered */
  REPRISE_EV_LOCAL = 17,          /* any other call worth a place in the order: Init, Finalize, Abort, Recv_init, ... */
  REPRISE_EV_COMM = 18,           /* a communicator; the k-th of the file has index k, from 0. See reprise_event_comm */
  REPRISE_EV_MEMBERS = 19,        /* behind COMM: `call` runs (1 or 2) of {first world rank, number, signed stride} */
  REPRISE_EV_PEERS = 20,          /* before a collective: `call` (1 to 7) ranks it gets data from; flow LISTED */
  REPRISE_EV_TIME = 21,           /* before an event: nanoseconds from start_nanos to where its `start` counts from */
  REPRISE_EV_BYTES = 22,          /* before an event whose bytes are 2^32 - 1: the bytes, 64 bits */
  REPRISE_EV_THREAD = 23,         /* words[0]: the events that follow are this thread's; at first thread 0's */
  REPRISE_EV_AGAIN = 24,          /* 8 bytes: the last event of this site that was not JOINED, at another time */
  REPRISE_EV_ASKED = 25           /* before the first event of a Test*, Waitany or Waitsome: `call` (1 to 7) of the requests that it was
                                     given, each as how many events back its POST_* is; 0: null or inactive, 2^32 - 1: not known */
};

/* An AGAIN is one number of 64 bits: its kind, then from these bits on the site and the two times. */
#define REPRISE_AGAIN_SITE_SHIFT 8
#define REPRISE_AGAIN_START_SHIFT 24
#define REPRISE_AGAIN_DURATION_SHIFT 44
#define REPRISE_AGAIN_SITE_MAX 65535
#define REPRISE_AGAIN_NANOS_MAX (UINT64_C(1) << 20) /* longer times: a whole record */

enum reprise_event_flag {
  REPRISE_EVF_ANY_SOURCE = 1, /* the receive or probe asked for any source */
  REPRISE_EVF_ANY_TAG = 2,    /* ... for any tag */
  REPRISE_EVF_SYNC = 4,       /* a send that completes only when it is matched: Ssend, Issend */
  REPRISE_EVF_JOINED = 8,     /* the same call as the next event */
  REPRISE_EVF_POLL = 16,      /* the call could have returned without it: Iprobe, Improbe, Test*, Waitany, Waitsome. POLLS: see there */
  REPRISE_EVF_CANCELLED = 32, /* COMPLETE of an operation that was cancelled: no message */
  REPRISE_EVF_INTER = 64,     /* COMM: an intercommunicator */
  REPRISE_EVF_OVERTAKING = 128/* COMM: mpi_assert_allow_overtaking is set */
};

/* From whom a rank gets data in a collective, which is all that a collective orders. No data (count 0): NONE. */
enum reprise_flow {
  REPRISE_FLOW_NONE = 0,
  REPRISE_FLOW_ALL = 1,       /* Barrier, Allreduce, Allgather, Alltoall, Reduce_scatter: from all */
  REPRISE_FLOW_FROM_ROOT = 2, /* Bcast, Scatter: all but the root, from the root */
  REPRISE_FLOW_TO_ROOT = 3,   /* Reduce, Gather: the root, from all */
  REPRISE_FLOW_SCAN = 4,      /* from lower ranks; Exscan too, as no rank waits for itself */
  REPRISE_FLOW_LISTED = 5,    /* from the ranks in the PEERS before it: neighbourhoods, v-collectives with zero counts */
  REPRISE_FLOW_EVERYBODY = 6  /* Comm_dup: from all, of an intercommunicator in both groups */
};

struct reprise_event {
  uint8_t kind;  /* enum reprise_event_kind */
  uint8_t flags; /* enum reprise_event_flag */
  uint16_t call; /* index in calls.def */
  union {
    struct {
      uint32_t site;     /* number of the STACK or LINES in rank-<r>.sites, from 1; 0 unknown */
      int32_t peer;      /* rank in the communicator, of an intercommunicator in its remote group; -1 any, or none */
      int32_t tag;       /* -1 any, or none */
      uint32_t link;     /* index of the communicator, or how many events back the event is that this one names */
      uint32_t bytes;    /* 2^32 - 1: see REPRISE_EV_BYTES */
      uint32_t start;    /* nanoseconds since the end of the event before (0 at first: start_nanos), or since TIME */
      uint32_t duration; /* nanoseconds; longer ones are 2^32 - 1, with a TIME before the next event */
    };
    struct {
      uint32_t id_low, id_high; /* identity: the same on every member and in every run */
      uint32_t size;            /* members, which the MEMBERS behind it list in the order of their ranks */
      uint32_t remote_size;     /* of an intercommunicator: members of the remote group, listed after the others */
      uint32_t reserved[3];
    } comm;
    uint32_t words[7];
  };
};
_Static_assert(sizeof(struct reprise_event) == 32, "an event is 32 bytes");

/*
 * Records of a .sites file: where the calls were made that the events name. They have the shape of the order file's.
 * A frame is the address behind the call, as an offset in a module: what its debug information calls the address.
 */
enum reprise_site {
  REPRISE_SITE_END = 0,
  REPRISE_SITE_MODULE = 1, /* 0, length and bytes of the path, length and bytes of the build id; numbered from 1 */
  REPRISE_SITE_STACK = 2,  /* n, then n times module (0: none, generated code) and offset, the innermost frame first */
  REPRISE_SITE_LINES = 3   /* n, then n times function, file (length and bytes) and line: a stack known by its source */
};

/*
 * Records of a .waits file, where REPRISE_WATCH is set: what a rank has sent and taken, and what it waits for. Written when it
 * is asked by the signal that its header names, and at MPI_Finalize. They have the shape of the order file's. A
 * communicator is named by the low half of its identity, ranks by their numbers in it, of an intercommunicator those of
 * the remote group; peers and tags are one more than they are, 0 for a wildcard.
 */
enum reprise_watch {
  REPRISE_WATCH_END = 0,
  REPRISE_WATCH_COMM = 1,    /* 1 if it is an intercommunicator; comm, collectives begun on it, call of the last one (id + 1),
                                n members and their world ranks, m members of the remote group and theirs */
  REPRISE_WATCH_SENT = 2,    /* 0, comm, peer, tag, n: so many messages */
  REPRISE_WATCH_TAKEN = 3,   /* the same of messages received, or taken by an MPI_Mprobe */
  REPRISE_WATCH_OPEN = 4,    /* 0, comm, peer, tag, post: a receive that was begun and not completed */
  REPRISE_WATCH_REQUEST = 5  /* enum reprise_wait, comm, peer, tag, n: a request that the current Wait* was given. n: of a
                                receive its post; of a send which message of its channel it is, from 1, times 2, plus 1 if
                                it is synchronous; of a collective its number on the communicator */
};

/*
 * A call site that a program names itself, since no unwinder sees its frames: a Java program's. Before a call it hands
 * one to reprise_call_from, a function of the library of events, if that is loaded.
 */
struct reprise_named_site {
  uint32_t number; /* 0, until the site is written */
  uint32_t bytes;
  uint8_t record[]; /* a LINES record of so many bytes */
};

/*
 * A file rank-<r> in the directory of a debugger, made by it and mapped by both. The rank stops on entry of a call of the
 * program's when so many are behind it, and says where it is. Calls are counted, not events: a call can be several
 * events, and failed polls are one event together, as many as happen to fit.
 */
enum reprise_hold_state { REPRISE_HOLD_OUTSIDE = 0, REPRISE_HOLD_INSIDE = 1, REPRISE_HOLD_HELD = 2 };
#define REPRISE_HOLD_LIFELINE 2147483648 /* in a rank's first word on its second socket */
#define REPRISE_HOLD_EARLY 1073741824    /* in the first word of a process that has not come to MPI_Init */
struct reprise_hold {
  uint64_t until; /* the debugger's: calls; UINT64_MAX: never */
  uint64_t calls; /* the rank's */
  uint32_t state, pid;
  uint32_t delivers; /* the debugger's: whether a held rank lets the library deliver what it has sent */
  uint32_t unused;
  uint64_t inside; /* the debugger's: a restored rank does not return from the call with this number; UINT64_MAX: none */
};

/*
 * A checkpoint is a process that was forked from a rank in a controlled re-execution, on entry of a call. The file
 * rank-<r>.plan in the directory of REPRISE_ENV_MARKS says where: n and n numbers of calls at which checkpoints are taken,
 * then m and m numbers of calls whose messages are kept, all of 64 bits and rising. The rank writes there rank-<r>.sent,
 * the packets it was to keep, and rank-<r>.results, a reprise_result for each collective. Behind each of these stands a
 * reprise_seal, and then its bytes.
 *
 * Packets go between processes and Reprise by Unix sockets, each followed by its bytes. On `socket` of that directory a
 * rank says which checkpoint it has taken (TAKEN), or why none can be (REFUSED), and a checkpoint that it waits (WAITS) and
 * for RESTORE, with the path of a directory: it forks, and the child is the rank from then on. It says HELLO on `hub` there,
 * with what it had received, and all its messages go that way; a second connection (OUTPUT) has what it prints.
 */
enum reprise_packet_kind {
  REPRISE_PACKET_TAKEN = 1,   /* number: how many checkpoints it has now; call: where the last was */
  REPRISE_PACKET_REFUSED = 2, /* bytes: why, in words; tag: 1 if what was kept is damaged */
  REPRISE_PACKET_WAITS = 3,   /* number: which checkpoint, from 0; call: where; tag: its process */
  REPRISE_PACKET_RESTORE = 4, /* bytes: a directory */
  REPRISE_PACKET_HELLO = 5,   /* number reprise_channel of all receives begun, then `call` of those still open */
  REPRISE_PACKET_OUTPUT = 6,  /* from here on, what it prints */
  REPRISE_PACKET_MESSAGE = 7, /* peer: to whom, or from the hub whose; bytes: packed */
  REPRISE_PACKET_EXIT = 8     /* tag: the status with which it ends */
};
struct reprise_packet {
  uint32_t kind;
  uint32_t rank; /* of the process that says it, in MPI_COMM_WORLD, as all ranks here */
  int32_t peer, tag;
  uint64_t comm;   /* identity */
  uint64_t number; /* of the messages between two ranks with this communicator and tag, from 0 */
  uint64_t call;   /* in which it was sent */
  uint64_t bytes;
};
struct reprise_channel {
  uint64_t comm;
  int32_t peer, tag;
  uint64_t number; /* so many receives; or, of an open one, which message it is for */
};
struct reprise_result {
  uint64_t number, bytes;
  int32_t code;
  uint32_t unused;
};
struct reprise_seal {
  uint64_t head, bytes; /* reprise_seal_of what stands before, and behind */
};

/* The order hash: both sides of a comparison must compute it alike, so it stands here. */
static inline uint64_t reprise_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 32);
}

/* Word by word; the last one is filled up with zeros, and then the number of bytes. */
static inline uint64_t reprise_seal_of(const void *bytes, uint64_t count) {
  const unsigned char *from = (const unsigned char *)bytes;
  uint64_t hash = 1;
  for (uint64_t at = 0; at < count; at += 8) {
    uint64_t word = 0;
    __builtin_memcpy(&word, from + at, count - at < 8 ? count - at : 8);
    hash = reprise_mix(hash, word);
  }
  return reprise_mix(hash, count);
}

#endif
