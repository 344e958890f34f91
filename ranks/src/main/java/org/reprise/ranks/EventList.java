package org.reprise.ranks;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * What may happen, of which one event will. Matches are many where ten thousand ranks have sent to
 * one, so they become events only when somebody looks at them.
 */
final class EventList extends AbstractList<Event> implements RandomAccess {
  private final List<@Nullable Event> events = new ArrayList<>();
  private final List<@Nullable PendingReceive> receives = new ArrayList<>();
  private final List<@Nullable Message> messages = new ArrayList<>();

  void happens(Event event) {
    events.add(event);
    receives.add(null);
    messages.add(null);
  }

  void matches(PendingReceive receive, Message message) {
    events.add(null);
    receives.add(receive);
    messages.add(message);
  }

  @Override
  public Event get(int index) {
    Event event = events.get(index);
    if (event == null) {
      PendingReceive receive = receives.get(index);
      Message message = messages.get(index);
      if (receive == null || message == null) {
        throw new IllegalStateException("neither an event nor a match");
      }
      event = Event.match(receive.owner, receive, message);
      events.set(index, event);
    }
    return event;
  }

  @Override
  public int size() {
    return events.size();
  }
}
