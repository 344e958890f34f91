package org.reprise.trace.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.file.Wire;
import tools.jackson.core.JsonGenerator;

/**
 * What was run, where, with which MPI, and how it ended: the content of {@code run.json}. It is
 * written when the recording starts, with {@link Ending.Unfinished}, and replaced when it ends.
 *
 * @param program the executable found in the command, if there is one
 * @param ranks 0 while nobody knows
 * @param stdinBytes how much of standard input was kept, once the run has ended
 * @param callNames names of MPI calls by their id in the rank files, so that a run explains itself
 * @param distilledFrom the name of the run that this one holds the control set of, if it is no
 *     recording
 * @param parent the name of the run that this one follows up to a change, if it was made by a plan
 * @param change what was to be other than in the parent
 * @param automatic whether nobody asked for this run: it was recorded since everything is, and may
 *     be removed when there are too many
 */
public record RunDescription(
    String repriseVersion,
    int wireVersion,
    String name,
    List<String> command,
    String directory,
    Optional<Program> program,
    Mpi mpi,
    int ranks,
    List<String> hosts,
    SortedMap<String, String> environment,
    boolean inputs,
    OptionalLong jitterSeed,
    boolean stdinKept,
    OptionalLong stdinBytes,
    List<String> callNames,
    Instant started,
    Optional<Instant> ended,
    Ending ending,
    List<RankEnd> rankEnds,
    RecorderProcess recorder,
    Optional<String> distilledFrom,
    Optional<String> parent,
    Optional<Change> change,
    boolean automatic) {

  /** The version of run.json itself. */
  public static final int FORMAT = 1;

  public RunDescription {
    command = List.copyOf(command);
    hosts = List.copyOf(hosts);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    callNames = List.copyOf(callNames);
    rankEnds = List.copyOf(rankEnds);
  }

  /** The executable that was recorded, so that a replay can tell whether it was rebuilt. */
  public record Program(String path, String sha256, long size) {}

  /** The MPI that was recorded: what it calls itself, and the compiler the interposer used. */
  public record Mpi(MpiFamily family, String version, String mpicc) {}

  /** How one rank ended. The exit code is there if the rank could still tell it. */
  public record RankEnd(Rank rank, Wire.State state, OptionalInt exitCode, String host) {}

  /**
   * What a run was to do otherwise than its parent.
   *
   * @param words for people, on one line
   * @param choices the same for programs; empty if the change is none of these
   */
  public record Change(String words, List<Choice> choices) {
    public Change {
      choices = List.copyOf(choices);
    }

    /** As an object of this name, as run.json has it. */
    public void write(JsonGenerator json, String name) {
      json.writeObjectPropertyStart(name);
      json.writeStringProperty("words", words);
      json.writeArrayPropertyStart("choices");
      for (Choice choice : choices) {
        json.writeStartObject();
        json.writeNumberProperty("rank", choice.rank.number());
        json.writeNumberProperty("event", choice.event);
        choice.took.ifPresent(rank -> json.writeNumberProperty("took", rank.number()));
        json.writeNumberProperty("takes", choice.takes.number());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  /**
   * A receive or probe that gets another message.
   *
   * @param rank who receives
   * @param event the receive, by its number among the events of its rank in the parent
   * @param took whose message it took in the parent, by the rank in MPI_COMM_WORLD; empty if none
   * @param takes whose message it is to take instead
   */
  public record Choice(Rank rank, long event, Optional<Rank> took, Rank takes) {}

  /** The Reprise that records: while it lives, the run is not to be touched. */
  public record RecorderProcess(long pid, String host, Instant started) {}

  /**
   * What is known when a command starts: it has no ranks yet, reads no recorded inputs, and has not
   * ended. This process records it.
   */
  public static Builder begun(String name, List<String> command, String directory, Mpi mpi) {
    return new Builder(name, command, directory, mpi);
  }

  /** A copy in which some things are other. */
  public Builder with() {
    return new Builder(this);
  }

  /** The description once the command has ended. */
  public RunDescription ended(
      Ending how,
      Instant when,
      int ranksSeen,
      List<String> hostsSeen,
      List<RankEnd> ends,
      OptionalLong inputBytes) {
    return with()
        .ranks(ranksSeen)
        .hosts(hostsSeen)
        .stdinKept(stdinKept && inputBytes.isPresent())
        .stdinBytes(inputBytes)
        .ended(Optional.of(when))
        .ending(how)
        .rankEnds(ends)
        .build();
  }

  /** The name of a call, or its number if the run does not say. */
  public String callName(int call) {
    return call >= 0 && call < callNames.size() ? "MPI_" + callNames.get(call) : "call " + call;
  }

  /**
   * How long it took, if it has ended. A clock that was set back meanwhile makes it no less than
   * nothing.
   */
  public Optional<Duration> took() {
    return ended()
        .map(end -> Duration.between(started(), end))
        .map(took -> took.isNegative() ? Duration.ZERO : took);
  }

  /** A description in the making. */
  public static final class Builder {
    private String repriseVersion;
    private final int wireVersion;
    private String name;
    private final List<String> command;
    private final String directory;
    private Optional<Program> program;
    private final Mpi mpi;
    private int ranks;
    private List<String> hosts;
    private SortedMap<String, String> environment;
    private boolean inputs;
    private OptionalLong jitterSeed;
    private boolean stdinKept;
    private OptionalLong stdinBytes;
    private List<String> callNames;
    private final Instant started;
    private Optional<Instant> ended;
    private Ending ending;
    private List<RankEnd> rankEnds;
    private final RecorderProcess recorder;
    private Optional<String> distilledFrom;
    private Optional<String> parent;
    private Optional<Change> change;
    private boolean automatic;

    private Builder(String name, List<String> command, String directory, Mpi mpi) {
      this.name = name;
      this.command = command;
      this.directory = directory;
      this.mpi = mpi;
      repriseVersion = "development";
      wireVersion = Wire.VERSION;
      program = Optional.empty();
      hosts = List.of();
      environment = new TreeMap<>();
      jitterSeed = OptionalLong.empty();
      stdinBytes = OptionalLong.empty();
      callNames = List.of();
      started = Instant.now();
      ended = Optional.empty();
      ending = new Ending.Unfinished();
      rankEnds = List.of();
      recorder = LiveRecorder.self();
      distilledFrom = Optional.empty();
      parent = Optional.empty();
      change = Optional.empty();
    }

    private Builder(RunDescription run) {
      repriseVersion = run.repriseVersion;
      wireVersion = run.wireVersion;
      name = run.name;
      command = run.command;
      directory = run.directory;
      program = run.program;
      mpi = run.mpi;
      ranks = run.ranks;
      hosts = run.hosts;
      environment = run.environment;
      inputs = run.inputs;
      jitterSeed = run.jitterSeed;
      stdinKept = run.stdinKept;
      stdinBytes = run.stdinBytes;
      callNames = run.callNames;
      started = run.started;
      ended = run.ended;
      ending = run.ending;
      rankEnds = run.rankEnds;
      recorder = run.recorder;
      distilledFrom = run.distilledFrom;
      parent = run.parent;
      change = run.change;
      automatic = run.automatic;
    }

    public Builder repriseVersion(String value) {
      repriseVersion = value;
      return this;
    }

    public Builder name(String value) {
      name = value;
      return this;
    }

    public Builder program(Optional<Program> value) {
      program = value;
      return this;
    }

    public Builder ranks(int value) {
      ranks = value;
      return this;
    }

    public Builder hosts(List<String> value) {
      hosts = value;
      return this;
    }

    public Builder environment(SortedMap<String, String> value) {
      environment = value;
      return this;
    }

    public Builder inputs(boolean value) {
      inputs = value;
      return this;
    }

    public Builder jitterSeed(OptionalLong value) {
      jitterSeed = value;
      return this;
    }

    public Builder stdinKept(boolean value) {
      stdinKept = value;
      return this;
    }

    public Builder stdinBytes(OptionalLong value) {
      stdinBytes = value;
      return this;
    }

    public Builder callNames(List<String> value) {
      callNames = value;
      return this;
    }

    public Builder ended(Optional<Instant> value) {
      ended = value;
      return this;
    }

    public Builder ending(Ending value) {
      ending = value;
      return this;
    }

    public Builder rankEnds(List<RankEnd> value) {
      rankEnds = value;
      return this;
    }

    public Builder distilledFrom(Optional<String> value) {
      distilledFrom = value;
      return this;
    }

    public Builder automatic(boolean value) {
      automatic = value;
      return this;
    }

    /** It follows this run, but for a change if there is one. */
    public Builder follows(RunDescription value, Optional<Change> asked) {
      parent = Optional.of(value.name());
      change = asked;
      return this;
    }

    public RunDescription build() {
      return new RunDescription(
          repriseVersion,
          wireVersion,
          name,
          command,
          directory,
          program,
          mpi,
          ranks,
          hosts,
          environment,
          inputs,
          jitterSeed,
          stdinKept,
          stdinBytes,
          callNames,
          started,
          ended,
          ending,
          rankEnds,
          recorder,
          distilledFrom,
          parent,
          change,
          automatic);
    }
  }
}
