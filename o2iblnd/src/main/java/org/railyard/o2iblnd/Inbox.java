package org.railyard.o2iblnd;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.verbs.EventLoop;

/**
 * Messages on their way from the threads of callers to the loop; their order is kept. LNet's credits limit how many
 * there are.
 */
final class Inbox {
    private final Object lock = new Object();

    /** Of other threads. */
    @GuardedBy("lock")
    private final ArrayDeque<LndMessage> ofOthers = new ArrayDeque<>();

    /** Whether there are any; what the loop sends itself is behind them then. */
    private volatile boolean othersWait;

    /** The next to be handed over, which take no lock: those that the loop sent itself, and older ones of others. */
    private final ArrayDeque<LndMessage> next = new ArrayDeque<>();

    private final EventLoop loop;
    private final Consumer<LndMessage> reader;
    private final Runnable drain = this::drain;

    Inbox(EventLoop loop, Consumer<LndMessage> reader) {
        this.loop = loop;
        this.reader = reader;
    }

    /** Takes a message; from any thread. */
    void add(LndMessage message) {
        boolean first;
        if (!othersWait && loop.isInLoop()) {
            first = next.isEmpty();
            next.add(message);
        } else {
            synchronized (lock) {
                first = ofOthers.isEmpty();
                ofOthers.add(message);
                othersWait = true;
            }
        }
        if (first) {
            loop.execute(drain);
        }
    }

    /** Hands over what is there; in the loop. */
    void drain() {
        boolean all = false;
        try {
            for (LndMessage each = poll(); each != null; each = poll()) {
                reader.accept(each);
            }
            all = true;
        } finally {
            if (!all) {
                // Who adds to others does not wake the loop.
                loop.execute(drain);
            }
        }
    }

    private @Nullable LndMessage poll() {
        if (othersWait) {
            synchronized (lock) {
                for (LndMessage each = ofOthers.poll(); each != null; each = ofOthers.poll()) {
                    next.add(each);
                }
                othersWait = false;
            }
        }
        return next.poll();
    }
}
