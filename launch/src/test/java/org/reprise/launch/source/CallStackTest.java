package org.reprise.launch.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.reprise.trace.Location;

class CallStackTest {
  private static Location in(String function) {
    return new Location(
        Optional.of(function), Optional.of("a.c"), OptionalInt.of(1), Optional.empty());
  }

  /** A frame each. */
  private static CallStack stack(String call, int frames, String... functions) {
    return CallStack.of(
        call, Arrays.stream(functions).map(function -> List.of(in(function))).toList(), frames);
  }

  private static List<String> names(List<Location> places) {
    return places.stream().map(place -> place.function().orElse("")).toList();
  }

  @Test
  void aFunctionNamedAfterTheCallItMakesIsAWrapper() {
    for (String wrapper :
        List.of(
            "hypre_MPI_Irecv",
            "stub_irecv_",
            "Comm::Irecv(void*, int)",
            "irecv<double>",
            "__layer_MOD_my_irecv",
            "my_mpi_irecv_tagged",
            "stub_irecv+0x1f",
            "irecv.constprop.0",
            "(anonymous namespace)::irecv(int)")) {
      CallStack stack = stack("MPI_Irecv", 1, wrapper, "exchange", "main");
      assertThat(names(stack.places())).as(wrapper).containsExactly("exchange");
      assertThat(names(stack.through())).as(wrapper).containsExactly(wrapper);
    }
  }

  @Test
  void aFunctionThatDoesSomethingElseIsNone() {
    for (String function : List.of("send_results", "exchange", "main", "sender", "")) {
      CallStack stack = stack("MPI_Send", 1, function, "main");
      assertThat(names(stack.places())).as(function).containsExactly(function);
      assertThat(stack.through()).as(function).isEmpty();
    }
  }

  @Test
  void outsideMpiThereIsNoWrapper() {
    CallStack stack = stack("", 1, "polls_in_vain", "solve", "main");
    assertThat(names(stack.places())).containsExactly("polls_in_vain");
    assertThat(stack.through()).isEmpty();
  }

  @Test
  void layersLieOnEachOther() {
    CallStack stack = stack("MPI_Recv", 2, "stub_recv", "Comm::recv(int)", "gather", "main", "x");
    assertThat(names(stack.places())).containsExactly("gather", "main");
    assertThat(stack.throughText()).isEqualTo(" through Comm::recv(int) a.c:1");
  }

  @Test
  void aWrapperThatWasInlinedHasTheFrameOfItsCaller() {
    CallStack stack =
        CallStack.of(
            "MPI_Recv", List.of(List.of(in("stub_recv"), in("gather")), List.of(in("main"))), 1);
    assertThat(names(stack.places())).containsExactly("gather");
  }

  @Test
  void aWrapperOfWhichNoCallerIsKnownIsThePlace() {
    assertThat(names(stack("MPI_Recv", 1, "stub_recv").places())).containsExactly("stub_recv");
    assertThat(stack("MPI_Recv", 1).places()).isEmpty();
  }
}
