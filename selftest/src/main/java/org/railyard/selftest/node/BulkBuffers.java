package org.railyard.selftest.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.nid.ProcessId;

/**
 * Memory for the bulk data of requests: of one size, so that all of it can be used again. Who finds none waits for his
 * turn. A client that has gone keeps what it has until a time limit passes; so each gets some while there is some, and
 * more only while it then has no more than it leaves: one client gets half at most, two get a third each. Thread-safe.
 */
final class BulkBuffers {
    /** Bytes of each. */
    static final int BYTES = 1 << 20;

    /** Most of them. */
    static final int MAX_BUFFERS = 128;

    /** Most that wait for one; more are refused, of one client those beyond half of it. */
    static final int MAX_WAITING = 1 << 16;

    /** What a client has, and what waits there for more. */
    private static final class Share {
        private final ArrayDeque<Consumer<MemorySegment>> waiting = new ArrayDeque<>();
        private int inUse;
    }

    private record Grant(MemorySegment buffer, Consumer<MemorySegment> user) {}

    @GuardedBy("this")
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();

    /** Those of clients that have something, or wait. */
    @GuardedBy("this")
    private final Map<ProcessId, Share> shares = new HashMap<>();

    /** Of the clients that wait, the one whose turn is next in front. */
    @GuardedBy("this")
    private final ArrayDeque<Share> turns = new ArrayDeque<>();

    /** Whether the calling thread is handing out memory. */
    private final ThreadLocal<Boolean> granting = ThreadLocal.withInitial(() -> false);

    private final LongFunction<MemorySegment> memory;
    private final Consumer<String> log;

    @GuardedBy("this")
    private int made;

    @GuardedBy("this")
    private int inUse;

    @GuardedBy("this")
    private int waiting;

    /** No more are asked for once there was no memory for another one: the JVM takes half a second to say so. */
    @GuardedBy("this")
    private int most = MAX_BUFFERS;

    /** What the JVM said then, until it is in the log. */
    @GuardedBy("this")
    private @Nullable String untold;

    /**
     * Makes the first one.
     *
     * @param memory returns memory of so many bytes, or throws OutOfMemoryError
     * @param log takes a line when there is no memory for another one
     * @throws OutOfMemoryError if there is not even memory for that
     */
    BulkBuffers(LongFunction<MemorySegment> memory, Consumer<String> log) {
        this.memory = memory;
        this.log = log;
        this.free.add(memory.apply(BYTES));
        this.made = 1;
    }

    /**
     * Hands out memory, at once or when there is some again.
     *
     * @param client for whom
     * @return false if too many wait already
     */
    boolean take(ProcessId client, Consumer<MemorySegment> user) {
        MemorySegment buffer;
        boolean waits = false;
        String shortage;
        synchronized (this) {
            Share share = shares.computeIfAbsent(client, key -> new Share());
            buffer = share.waiting.isEmpty() && mayHave(share) ? freeOrNew() : null;
            shortage = untold;
            untold = null;
            if (buffer != null) {
                inUse++;
                share.inUse++;
            } else if (share.waiting.size() < MAX_WAITING - waiting) {
                waits = await(share, user);
            }
            forgetIfIdle(client, share);
        }
        if (shortage != null) {
            log.accept("bulk data of fewer than " + MAX_BUFFERS + " requests at a time is served: no memory for more ("
                    + shortage + "); raise -XX:MaxDirectMemorySize");
        }
        if (buffer != null) {
            user.accept(buffer);
        }
        return buffer != null || waits;
    }

    @GuardedBy("this")
    private boolean mayHave(Share share) {
        return share.inUse == 0 || share.inUse < most - inUse;
    }

    @GuardedBy("this")
    private @Nullable MemorySegment freeOrNew() {
        MemorySegment buffer = free.poll();
        if (buffer == null && made < most) {
            try {
                buffer = memory.apply(BYTES);
                made++;
            } catch (OutOfMemoryError e) {
                most = made;
                untold = String.valueOf(e.getMessage());
            }
        }
        return buffer;
    }

    @GuardedBy("this")
    private boolean await(Share share, Consumer<MemorySegment> user) {
        if (share.waiting.isEmpty()) {
            turns.add(share);
        }
        waiting++;
        return share.waiting.add(user);
    }

    /** Takes memory back that nothing touches any more, from the one who got it. */
    void giveBack(ProcessId client, MemorySegment buffer) {
        synchronized (this) {
            free.push(buffer);
            inUse--;
            Share share = Objects.requireNonNull(shares.get(client));
            share.inUse--;
            forgetIfIdle(client, share);
        }
        if (granting.get()) {
            // It came back before its user has returned: not one within the other, or the stack ends some time.
            return;
        }
        granting.set(true);
        try {
            for (Grant grant = next(); grant != null; grant = next()) {
                grant.user.accept(grant.buffer);
            }
        } finally {
            granting.set(false);
        }
    }

    @GuardedBy("this")
    private void forgetIfIdle(ProcessId client, Share share) {
        if (share.inUse == 0 && share.waiting.isEmpty()) {
            shares.remove(client);
        }
    }

    private synchronized @Nullable Grant next() {
        for (int i = turns.size(); i > 0 && !free.isEmpty(); i--) {
            Share share = turns.remove();
            boolean granted = mayHave(share);
            Consumer<MemorySegment> user = granted ? share.waiting.remove() : null;
            if (!share.waiting.isEmpty()) {
                turns.add(share);
            }
            if (user != null) {
                waiting--;
                inUse++;
                share.inUse++;
                return new Grant(free.remove(), user);
            }
        }
        return null;
    }
}
