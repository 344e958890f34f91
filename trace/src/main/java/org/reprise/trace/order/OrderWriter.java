package org.reprise.trace.order;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RecordSink;
import org.reprise.trace.file.Wire;

/**
 * Writes an order file as the interposer does, for plans: what a rank is to do is written as what a
 * rank did. The file gets its header, and thereby becomes valid, when the writer is closed.
 */
public final class OrderWriter implements AutoCloseable {
  private final RecordSink sink;
  private long expectedPost;
  private long posts;

  /** Creates {@code file}, which must not exist; counts in {@code header} are set when closing. */
  public OrderWriter(Path file, RankHeader header) {
    if (header.file() != Wire.FileKind.ORDER) {
      throw new IllegalArgumentException("not the header of an order file: " + header.file());
    }
    sink = new RecordSink(file, header);
  }

  public void write(Outcome outcome) {
    int kind = outcome.kind().ordinal();
    switch (outcome) {
      case Outcome.Recv(int source, OptionalInt tag) -> message(kind, source, tag);
      case Outcome.Probe(int source, OptionalInt tag) -> message(kind, source, tag);
      case Outcome.Found(int source, OptionalInt tag) -> message(kind, source, tag);
      case Outcome.Post(long post, int source, OptionalInt tag) -> {
        sink.begin(kind, source);
        post(post);
        tag.ifPresent(sink::operand32);
      }
      case Outcome.PostEnd(long post, Wire.PostEnd end) -> {
        sink.begin(kind, end.ordinal());
        post(post);
      }
      case Outcome.FailedPolls(long count) -> sink.begin(kind, count);
      case Outcome.Hit(Wire.Poll poll) -> sink.begin(kind, poll.ordinal());
      case Outcome.Index(OptionalInt index) ->
          sink.begin(kind, index.isPresent() ? index.getAsInt() + 1L : 0);
      case Outcome.Indices(boolean defined, List<Integer> indices) -> {
        sink.begin(kind, defined ? indices.size() + 1L : 0);
        indices.forEach(sink::operand32);
      }
      case Outcome.Errors(int code, List<Integer> codes) -> {
        sink.begin(kind, codes.size());
        sink.operand32(code);
        codes.forEach(sink::operand32);
      }
      case Outcome.Check(int hash) -> {
        sink.begin(kind, Wire.More.CHECK.ordinal());
        sink.operand32(hash);
      }
      case Outcome.ThreadSwitch(long thread) -> {
        sink.begin(kind, Wire.More.THREAD.ordinal());
        sink.operand(thread);
      }
      case Outcome.Free(long count) -> {
        sink.begin(kind, Wire.More.FREE.ordinal());
        sink.operand(count);
      }
      case Outcome.Again(long count) -> {
        sink.begin(kind, Wire.More.AGAIN.ordinal());
        sink.operand(count);
      }
      case Outcome.Turn(long calls, long thread) -> {
        sink.begin(kind, Wire.More.TURN.ordinal());
        sink.operand(calls);
        sink.operand(thread);
      }
    }
  }

  private void message(int kind, int source, OptionalInt tag) {
    sink.begin(kind, source);
    tag.ifPresent(sink::operand32);
  }

  private void post(long post) {
    sink.zigzag(post - expectedPost);
    expectedPost = post + 1;
    posts = Math.max(posts, expectedPost);
  }

  @Override
  public void close() {
    sink.raise(HeaderField.POSTS, posts);
    sink.close();
  }
}
