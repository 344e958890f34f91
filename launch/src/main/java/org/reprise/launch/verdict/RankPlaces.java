package org.reprise.launch.verdict;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.reprise.launch.process.ElfFile;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.source.CallStack;
import org.reprise.launch.source.SourceLines;
import org.reprise.trace.Location;
import org.reprise.trace.events.CallSite;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;

/**
 * Where in the source ranks are, or were when they ended: by the stack that a rank of a replay gave
 * when it was asked, else by what its header says the current call returns to.
 */
public final class RankPlaces {
  private final Map<RankHeader, CallSite> sites = new HashMap<>();
  private final IntFunction<String> callNames;
  private final SourceLines lines;

  private RankPlaces(
      Collection<RankHeader> headers,
      Optional<Stall> stall,
      IntFunction<String> callNames,
      Surroundings surroundings) {
    this.callNames = callNames;
    for (RankHeader header : headers) {
      stall
          .flatMap(met -> stack(met, header))
          .or(() -> caller(header))
          .ifPresent(site -> sites.put(header, site));
    }
    lines = SourceLines.of(sites.values(), surroundings);
  }

  /** The places of these ranks, which have ended. */
  public static RankPlaces of(
      Collection<RankHeader> headers, IntFunction<String> callNames, Surroundings surroundings) {
    return new RankPlaces(headers, Optional.empty(), callNames, surroundings);
  }

  /** The same of ranks in a replay that may be stuck. */
  public static RankPlaces of(
      Collection<RankHeader> headers,
      Optional<Stall> stall,
      IntFunction<String> callNames,
      Surroundings surroundings) {
    return new RankPlaces(headers, stall, callNames, surroundings);
  }

  /** Where this rank is in the program; empty if that is not known. */
  public Optional<Location> place(RankHeader header) {
    String call = header.currentCall().map(callNames::apply).orElse("");
    return Optional.ofNullable(sites.get(header))
        .map(site -> CallStack.of(call, site, 1, lines).places())
        .filter(places -> !places.isEmpty())
        .map(List::getFirst);
  }

  /**
   * A sentence of where a rank is and what it waits for: {@code in MPI_Recv (call 3) at main
   * ring.c:7, waiting for a message of source 1, tag 4}.
   */
  public String text(RankHeader header) {
    String call =
        header
            .currentCall()
            .map(id -> "in " + callNames.apply(id) + " (call " + header.calls() + ")")
            .orElse("outside MPI (after call " + header.calls() + ")");
    return call
        + place(header).map(place -> " at " + place.text()).orElse("")
        + WaitText.of(header).map(waits -> ", waiting for " + waits).orElse("");
  }

  /** Of the rank in the replay, if it is where this header says. */
  private static Optional<CallSite> stack(Stall stall, RankHeader header) {
    return stall.sameAs(header).map(now -> stall.stacks().get(now.rank()));
  }

  private static Optional<CallSite> caller(RankHeader header) {
    if (header.caller().isEmpty()) {
      return Optional.empty();
    }
    Path executable = Path.of(header.executable());
    long started = header.get(HeaderField.START_NANOS) / 1_000_000;
    try {
      // One that was built again since has other addresses.
      if (Files.getLastModifiedTime(executable).toMillis() > started) {
        return Optional.empty();
      }
    } catch (IOException gone) {
      return Optional.empty();
    }
    String buildId = ElfFile.read(executable).map(ElfFile::buildId).orElse("");
    CallSite.Module module = new CallSite.Module(header.executable(), buildId);
    return Optional.of(
        new CallSite(
            List.of(new CallSite.Address(Optional.of(module), header.caller().getAsLong()))));
  }
}
