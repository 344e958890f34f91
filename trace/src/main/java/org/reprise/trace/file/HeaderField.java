package org.reprise.trace.file;

import java.nio.ByteBuffer;
import java.util.Locale;

/** A number in the header of a rank file: its place in {@code struct reprise_header}. */
public enum HeaderField {
  VERSION(8, 4),
  HEADER_BYTES(12, 4),
  FILE(16, 4),
  MODE(20, 4),
  MPI(24, 4),
  RANK(28, 4),
  RANKS(32, 4),
  PID(36, 4),
  STATE(40, 4),
  EXIT_CODE(44, 4),
  FLAGS(48, 4),
  THREAD_LEVEL(52, 4),
  START_NANOS(56, 8),
  END_NANOS(64, 8),
  COMMITTED(72, 8),
  OUTCOMES(80, 8),
  FAILED_POLLS(88, 8),
  POLLS_FAILED_TOTAL(96, 8),
  RECEIVES(104, 8),
  EVENTS(112, 8),
  HASH_EVEN(120, 8, "hash[0]"),
  HASH_ODD(128, 8, "hash[1]"),
  CALLS(136, 8),
  CURRENT_CALL(144, 4),
  WAITING_SOURCE(148, 4),
  POSTS(152, 8),
  REPLAYED(160, 8),
  POLLS_BEYOND(168, 8),
  POLLS_SKIPPED(176, 8),
  SENDS_DEFERRED(184, 8),
  HASH_AT_END(192, 8),
  INPUTS_UNMATCHED(200, 8),
  DIVERGENCE_WHAT(208, 4, "divergence.what"),
  DIVERGENCE_CALL(212, 4, "divergence.call"),
  DIVERGENCE_OUTCOME(216, 8, "divergence.outcome"),
  DIVERGENCE_CALL_NUMBER(224, 8, "divergence.call_number"),
  DIVERGENCE_NANOS(232, 8, "divergence.nanos"),
  DIVERGENCE_EXPECTED_KIND(240, 4, "divergence.expected_kind"),
  DIVERGENCE_EXPECTED_FIRST(248, 8, "divergence.expected[0]"),
  DIVERGENCE_EXPECTED_SECOND(256, 8, "divergence.expected[1]"),
  DIVERGENCE_FOUND_FIRST(264, 8, "divergence.found[0]"),
  DIVERGENCE_FOUND_SECOND(272, 8, "divergence.found[1]"),
  TAIL_FROM(856, 8),
  ORDER_START_NANOS(864, 8),
  CALLER(872, 8),
  PROGRAM_BASE(880, 8),
  PROGRAM_START(888, 8),
  PROGRAM_END(896, 8),
  WAIT_COUNT(1032, 4),
  ANSWER_SIGNAL(1036, 4),
  FRAMES_WANTED(1040, 4),
  RENDEZVOUS_BYTES(1048, 8),
  RING_BYTES(1056, 8),
  FILE_FROM(1064, 8),
  TAKEN(1072, 8),
  WAITED_NANOS(1080, 8),
  SPILLED_BYTES(1088, 8);

  static final int WAITS_OFFSET = 904;
  static final int WAITS_MAX = 8;
  static final int WAIT_BYTES = 16;
  public static final int HOST_OFFSET = 280;
  static final int HOST_BYTES = 64;
  static final int EXECUTABLE_OFFSET = 344;
  static final int EXECUTABLE_BYTES = 512;
  static final int CALL_COUNTS_OFFSET = 4096;

  public final int offset;
  final int bytes;
  final String cName;

  HeaderField(int offset, int bytes) {
    this.offset = offset;
    this.bytes = bytes;
    this.cName = name().toLowerCase(Locale.ROOT);
  }

  HeaderField(int offset, int bytes, String cName) {
    this.offset = offset;
    this.bytes = bytes;
    this.cName = cName;
  }

  /** Four-byte fields are taken as signed; those that are unsigned in C stay below 2^31. */
  long get(ByteBuffer header) {
    return bytes == 4 ? header.getInt(offset) : header.getLong(offset);
  }

  public void put(ByteBuffer header, long value) {
    if (bytes == 4) {
      header.putInt(offset, (int) value);
    } else {
      header.putLong(offset, value);
    }
  }
}
