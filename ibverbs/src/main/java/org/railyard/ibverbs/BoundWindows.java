package org.railyard.ibverbs;

import java.util.ArrayList;
import java.util.List;

/** The windows that are bound to something: to a queue pair, or to registered memory. Not thread-safe. */
final class BoundWindows {
    private final List<MemoryWindow> windows = new ArrayList<>();

    void add(MemoryWindow window) {
        windows.add(window);
    }

    void remove(MemoryWindow window) {
        windows.remove(window);
    }

    /** Tells whether a transfer has the next key of one of them, but the requests were not posted yet. */
    boolean areAwaited() {
        for (int i = 0; i < windows.size(); i++) {
            if (windows.get(i).isAwaited()) {
                return true;
            }
        }
        return false;
    }

    /** Gives all of them back: what they are bound to is about to go. */
    void giveBack() {
        List.copyOf(windows).forEach(MemoryWindow::giveBack);
    }
}
