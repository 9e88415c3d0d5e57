package org.railyard.conformance;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Headers that were not answered yet. Thread-safe. */
final class Held {
    private final List<IncomingHeader> all = new CopyOnWriteArrayList<>();

    /** Puts off the answer to a header. */
    int hold(IncomingHeader incoming) {
        all.add(incoming);
        return 0;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    IncomingHeader first() {
        return all.getFirst();
    }

    /** Takes out the first one, to be answered. */
    IncomingHeader takeFirst() {
        return all.removeFirst();
    }
}
