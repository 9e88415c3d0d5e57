package org.railyard.verbs.card;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.AsyncListener;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.VerbsDevice;

/** Who wants to hear what happens to a card. Thread-safe. */
public final class AsyncListeners {
    private record Listening(EventLoop loop, AsyncListener listener) {}

    private final List<Listening> all = new CopyOnWriteArrayList<>();

    /** Makes an empty list. */
    public AsyncListeners() {}

    /** Adds one, to be told in a loop. */
    public void add(EventLoop loop, AsyncListener listener) {
        all.add(new Listening(loop, listener));
    }

    /** Takes one away. */
    public void remove(AsyncListener listener) {
        all.removeIf(each -> each.listener == listener);
    }

    /** Takes all away. */
    public void clear() {
        all.clear();
    }

    /** Tells all of them, each in its loop, if it is still there by then. */
    public void raise(VerbsDevice device, AsyncEvent event) {
        for (Listening each : all) {
            each.loop.execute(() -> {
                if (all.contains(each)) {
                    each.listener.onAsyncEvent(device, event);
                }
            });
        }
    }
}
