package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;
import org.railyard.base.host.Host;
import org.railyard.base.host.Worker;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.VerbsException;

/**
 * The one thread that reads what happens to devices, because there is one place per device and process where that is
 * told (spec 24 §5.1). It runs as long as a provider is open. Thread-safe.
 */
final class AsyncReader {
    /** Hears what happened. */
    interface Listener {
        /**
         * Is told, in the thread of the reader.
         *
         * @param context of the device
         * @param type number of libibverbs
         * @param port 0 if it is not about one
         * @param qpNumber 0 if it is not about one
         */
        void happened(long context, int type, int port, int qpNumber);

        /** Is told that a device was taken away: it tells nothing any more. */
        void gone(long context);
    }

    private static final System.Logger LOG = System.getLogger(AsyncReader.class.getName());

    /** Most events of a device in one turn. */
    private static final int BATCH = 64;

    private final NativeVerbs verbs;
    private final List<NativeCard> cards;
    private final Set<NativeCard> gone = new CopyOnWriteArraySet<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Arena arena = Arena.ofShared();
    private final long fds;
    private final long event;
    private @Nullable Worker worker;
    private int wakeFd = -1;
    private volatile boolean stopping;

    AsyncReader(NativeVerbs verbs, List<NativeCard> cards) {
        this.verbs = verbs;
        this.cards = cards;
        this.fds = arena.allocate((cards.size() + 1L) * VerbsLayout.POLLFD, Long.BYTES)
                .address();
        this.event = VerbsMemory.structure(arena, VerbsLayout.ASYNC_EVENT).address();
        for (NativeCard card : cards) {
            int errno = verbs.setNonBlocking(card.asyncFd());
            if (errno != 0) {
                throw NativeVerbs.failed(card.name() + ": its events can not be read", errno);
            }
        }
    }

    /** Tells a listener from now on; the first one brings the thread. */
    synchronized void add(Listener listener, Host host) {
        listeners.add(listener);
        gone.forEach(each -> listener.gone(each.context()));
        if (worker == null) {
            wakeFd = verbs.createEventFd();
            if (wakeFd < 0) {
                throw new VerbsException(
                        VerbsException.Code.ENOMEM, "no file descriptor is left; raise the limit (ulimit -n)");
            }
            stopping = false;
            worker = host.startWorker("ibverbs-async", this::run);
        }
    }

    /** Tells a listener no more; the last one takes the thread along. */
    synchronized void remove(Listener listener) {
        listeners.remove(listener);
        Worker running = worker;
        if (listeners.isEmpty() && running != null) {
            stopping = true;
            verbs.signal(wakeFd);
            running.close();
            verbs.close(wakeFd);
            worker = null;
        }
    }

    private long run(long now) {
        if (stopping) {
            return Long.MAX_VALUE;
        }
        int count = 0;
        watch(count++, wakeFd);
        for (NativeCard card : cards) {
            watch(count++, gone.contains(card) ? -1 : card.asyncFd());
        }
        verbs.poll(fds, count, -1);
        for (int i = 0; i < cards.size() && !stopping; i++) {
            int found = VerbsMemory.getShort(fds + (i + 1L) * VerbsLayout.POLLFD + VerbsLayout.POLLFD_REVENTS);
            if (found != 0 && !read(cards.get(i)) && (found & VerbsNumbers.POLL_FAILED) != 0) {
                lost(cards.get(i));
            }
        }
        return now;
    }

    private void watch(int index, int fd) {
        long at = fds + (long) index * VerbsLayout.POLLFD;
        VerbsMemory.putInt(at, fd);
        VerbsMemory.putShort(at + VerbsLayout.POLLFD_EVENTS, VerbsNumbers.POLLIN);
        VerbsMemory.putShort(at + VerbsLayout.POLLFD_REVENTS, 0);
    }

    /** The kernel says so for good when a device was taken away; it would be asked in vain for ever. */
    private void lost(NativeCard card) {
        gone.add(card);
        for (Listener each : listeners) {
            each.gone(card.context());
        }
    }

    /** Reads what happened to a device; false if nothing did. */
    private boolean read(NativeCard card) {
        int count = 0;
        while (count < BATCH && verbs.nextAsyncEvent(card.context(), event)) {
            count++;
            int type = VerbsMemory.getInt(event + VerbsLayout.ASYNC_TYPE);
            long element = VerbsMemory.getLong(event + VerbsLayout.ASYNC_ELEMENT);
            // Read before the acknowledgement, which lets the queue pair go.
            int qpNumber = AsyncEvents.isOfQp(type) ? VerbsMemory.getInt(element + VerbsLayout.QP_NUM) : 0;
            int port = AsyncEvents.isOfPort(type) ? (int) element : 0;
            verbs.acknowledgeAsync(event);
            LOG.log(System.Logger.Level.DEBUG, "{0}: event {1}, port {2}", card.name(), type, port);
            for (Listener each : listeners) {
                each.happened(card.context(), type, port, qpNumber);
            }
        }
        return count > 0;
    }
}
