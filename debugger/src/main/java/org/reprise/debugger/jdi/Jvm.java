package org.reprise.debugger.jdi;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Field;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.spi.Connection;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.ExceptionRequest;
import com.sun.jdi.request.StepRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.reprise.debugger.hold.Bell;
import org.reprise.debugger.source.SourceError;
import org.reprise.launch.embedded.HeldProgram;

/**
 * The JVM whose threads the ranks are. Only the thread of an event stands; the others go on until
 * they are held or asked about. What happens is heard on one thread, in the order of the JVM.
 */
final class Jvm implements AutoCloseable {
  private final VirtualMachine machine;
  private final HeldProgram program;
  private final Bell bell;

  /** By the number of their threads. */
  private final Map<Long, JavaRank> ranks = new ConcurrentHashMap<>();

  private volatile boolean gone;

  private Jvm(VirtualMachine machine, HeldProgram program, boolean failed, Bell bell) {
    this.machine = machine;
    this.program = program;
    this.bell = bell;
    ClassPrepareRequest prepared = requests().createClassPrepareRequest();
    HeldProgram.NOT_THE_PROGRAMS.forEach(prepared::addClassExclusionFilter);
    prepared.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    prepared.enable();
    if (failed) {
      ExceptionRequest thrown = requests().createExceptionRequest(null, true, true);
      thrown.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
      thrown.enable();
    }
    Thread.ofPlatform().daemon().name("jvm").start(this::listen);
  }

  /**
   * Speaks to a JVM that has connected.
   *
   * @param failed whether ranks ended by an exception: they are to stand where it is thrown
   */
  static Jvm of(Connection connection, HeldProgram program, boolean failed, Bell bell)
      throws IOException {
    return new Jvm(
        Bootstrap.virtualMachineManager().createVirtualMachine(connection), program, failed, bell);
  }

  VirtualMachine machine() {
    return machine;
  }

  HeldProgram program() {
    return program;
  }

  EventRequestManager requests() {
    return machine.eventRequestManager();
  }

  boolean isGone() {
    return gone;
  }

  Bell bell() {
    return bell;
  }

  /** Looks into a rank, which stands then. */
  JavaRank rank(int rank) {
    try {
      ThreadReference thread = thread(rank);
      JavaRank known = ranks.computeIfAbsent(thread.uniqueID(), _ -> new JavaRank(this, thread));
      known.halt();
      return known;
    } catch (VMDisconnectedException e) {
      throw new SourceError("the JVM has ended");
    }
  }

  /** The engine says which thread is which rank. */
  private ThreadReference thread(int rank) {
    List<ReferenceType> holders = machine.classesByName(HeldProgram.THREADS_OF);
    Field field = holders.isEmpty() ? null : holders.getFirst().fieldByName("threads");
    if (field != null
        && holders.getFirst().getValue(field) instanceof ArrayReference threads
        && rank < threads.length()
        && threads.getValue(rank) instanceof ThreadReference thread) {
      return thread;
    }
    throw new SourceError("the rank has not begun");
  }

  /** Classes of the program that are loaded. */
  List<ReferenceType> classes() {
    return machine.allClasses().stream()
        .filter(type -> type.isPrepared() && isOfProgram(type))
        .toList();
  }

  static boolean isOfProgram(ReferenceType type) {
    return HeldProgram.isOfProgram(type.name());
  }

  static boolean isOfProgram(StackFrame frame) {
    return isOfProgram(frame.location().declaringType());
  }

  /** Steps by lines of the program. */
  StepRequest steps(ThreadReference thread, int depth) {
    StepRequest step = requests().createStepRequest(thread, StepRequest.STEP_LINE, depth);
    HeldProgram.NOT_THE_PROGRAMS.forEach(step::addClassExclusionFilter);
    step.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
    return step;
  }

  /** Where a place is in the classes that are loaded now. */
  List<Location> locations(JavaPlace place) {
    return classes().stream().flatMap(type -> place.in(type).stream()).toList();
  }

  private void listen() {
    try {
      while (!gone) {
        EventSet events = machine.eventQueue().remove();
        boolean stands = false;
        for (Event event : events) {
          stands |= stands(event);
        }
        if (stands) {
          bell.ring();
        } else {
          events.resume();
        }
      }
    } catch (InterruptedException | VMDisconnectedException e) {
      // It has ended.
    } finally {
      gone = true;
      bell.ring();
    }
  }

  private boolean stands(Event event) {
    if (event instanceof ClassPrepareEvent prepared) {
      if (isOfProgram(prepared.referenceType())) {
        ranks.values().forEach(rank -> rank.loaded(prepared.referenceType()));
      }
      return false;
    }
    if (event instanceof LocatableEvent located) {
      JavaRank rank = ranks.get(located.thread().uniqueID());
      return rank != null && rank.stands(located);
    }
    return false;
  }

  @Override
  public void close() {
    gone = true;
    try {
      machine.dispose();
    } catch (VMDisconnectedException e) {
      // So it is.
    }
  }
}
