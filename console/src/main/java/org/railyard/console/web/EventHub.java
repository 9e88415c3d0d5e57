package org.railyard.console.web;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tells browsers what happens. Each gets first how things stand and then everything that changes, in order; one that
 * takes too slowly is sent away, and begins anew when it comes back. Thread-safe.
 */
public final class EventHub {
    /** Most browsers at a time. */
    static final int MAX_CLIENTS = 16;

    /** Most events that wait for one browser. */
    static final int MAX_WAITING = 256;

    private static final long HEARTBEAT_SECONDS = 10;
    private static final LiveEvent HEARTBEAT = new LiveEvent(": still here\n\n");
    private static final LiveEvent END = new LiveEvent("");

    /** How soon a browser that lost us comes back, ms. */
    private static final LiveEvent RETRY = new LiveEvent("retry: 1000\n\n");

    private final Object lock = new Object();

    @GuardedBy("lock")
    private final List<Supplier<List<LiveEvent>>> standing = new ArrayList<>();

    @GuardedBy("lock")
    private final Set<Client> clients = new LinkedHashSet<>();

    @GuardedBy("lock")
    private int serving;

    /** One browser. */
    private static final class Client {
        private final BlockingQueue<LiveEvent> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

        /** It writes to the browser, and waits as long as that takes nothing. */
        private final Thread writer = Thread.currentThread();
    }

    /** Makes one without anybody. */
    public EventHub() {}

    /**
     * Adds something that tells how things stand.
     *
     * @param part called while nothing is published
     */
    public void add(Supplier<List<LiveEvent>> part) {
        synchronized (lock) {
            standing.add(part);
        }
    }

    /**
     * Tells everybody of a change.
     *
     * @param change makes it and returns what there is to tell; called while nobody comes and nothing else is published
     */
    public void publish(Supplier<List<LiveEvent>> change) {
        synchronized (lock) {
            List<LiveEvent> events = change.get();
            clients.removeIf(client -> !offer(client, events));
        }
    }

    /**
     * Returns false if it is too slow; then it is sent away. Its writer may wait for a browser that was suspended and
     * takes nothing for hours: interrupted, it closes the connection and gives the place back.
     */
    private static boolean offer(Client client, List<LiveEvent> events) {
        for (LiveEvent each : events) {
            if (!client.waiting.offer(each)) {
                client.writer.interrupt();
                return false;
            }
        }
        return true;
    }

    /** Takes a place; false if there is none. */
    boolean enter() {
        synchronized (lock) {
            if (serving == MAX_CLIENTS) {
                return false;
            }
            serving++;
            return true;
        }
    }

    /** Gives the place back. */
    void leave() {
        synchronized (lock) {
            serving--;
        }
    }

    /**
     * Writes events until the browser goes away, is too slow, or {@link #end} is called. The thread is interrupted if
     * the browser is too slow, which ends what it writes.
     *
     * @throws IOException if it went away
     */
    void serve(OutputStream out) throws IOException {
        Client client = new Client();
        List<LiveEvent> first = new ArrayList<>(List.of(RETRY));
        synchronized (lock) {
            standing.forEach(part -> first.addAll(part.get()));
            clients.add(client);
        }
        try {
            for (LiveEvent each : first) {
                out.write(each.text().getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
            while (true) {
                LiveEvent next = client.waiting.poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS);
                if (next == END) {
                    return;
                }
                out.write((next == null ? HEARTBEAT : next).text().getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            synchronized (lock) {
                clients.remove(client);
            }
        }
    }

    /** Sends all away. */
    void end() {
        synchronized (lock) {
            for (Client each : clients) {
                each.waiting.clear();
                each.waiting.add(END);
            }
            clients.clear();
        }
    }
}
