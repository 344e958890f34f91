package org.reprise.anomaly.agent.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.block.Tags;

/** A stage's function is after the future before it, whenever that becomes complete. */
class CompletionsTest {
  private final Tags tags = new Tags();
  private final OpenForks open = new OpenForks();
  private final List<String> obstacles = new ArrayList<>();
  private final Completions completions = new Completions((what, place) -> obstacles.add(what));
  private final Strand adding = new Strand(tags, open);
  private final CompletableFuture<Integer> future = new CompletableFuture<>();

  private Strand fork() {
    Fork fork = adding.fork(new Origin(Origin.Kind.TASK, ""));
    return new Strand(tags, open, fork);
  }

  @Test
  void aFutureThatBecomesCompleteWhileAStageIsAddedIsBeforeTheStage() {
    Strand completing = fork();
    int writes = completing.tag;
    completions.enterStage(adding, future, null);
    completions.completed(completing, future, false);
    future.complete(1);
    assertThat(adding.isAfter(writes)).as("the function runs in the thread that adds it").isTrue();
  }

  @Test
  void aFutureThatIsNotCompleteIsNotBeforeWhatTheAddingThreadDoes() {
    Strand completing = fork();
    int writes = completing.tag;
    completions.enterStage(adding, future, null);
    assertThat(adding.isAfter(writes)).isFalse();
    completions.exit(adding, null);
    completions.completed(completing, future, false);
    future.complete(1);
    assertThat(adding.isAfter(writes)).as("nobody waited").isFalse();
  }

  @Test
  void theFutureThatAComposingFunctionReturnsIsBeforeTheStagesOwn() {
    Strand inner = fork();
    Strand outer = fork();
    int writes = inner.tag;
    CompletableFuture<Integer> returned = new CompletableFuture<>();
    completions.completed(inner, returned, false);
    returned.complete(1);
    completions.enterStage(outer, CompletableFuture.completedFuture(1), null);
    completions.created(outer, future);
    completions.composed(outer, returned);
    completions.completed(outer, future, false);
    future.complete(1);
    completions.waited(adding, future);
    assertThat(adding.isAfter(writes)).isTrue();
  }

  @Test
  void theComposingFunctionIsBeforeTheStagesOwnFutureButNotBeforeWhoCompletesThat() {
    Strand inner = fork();
    Strand outer = fork();
    completions.enterStage(outer, CompletableFuture.completedFuture(1), null);
    completions.created(outer, future);
    int writes = outer.tag;
    completions.composed(outer, new CompletableFuture<>());
    completions.exit(outer, future);
    completions.completed(inner, future, false);
    future.complete(1);
    assertThat(inner.isAfter(writes)).as("it waited for nobody").isFalse();
    completions.waited(adding, future);
    assertThat(adding.isAfter(writes)).isTrue();
  }

  @Test
  void concurrentBlocksThatCompleteOneFutureAreNamed() {
    completions.completed(fork(), future, true);
    completions.completed(fork(), future, true);
    assertThat(obstacles).containsExactly("a future that concurrent blocks complete");
  }
}
