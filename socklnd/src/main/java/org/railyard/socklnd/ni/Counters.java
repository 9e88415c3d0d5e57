package org.railyard.socklnd.ni;

import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.railyard.socklnd.stats.HandshakeRefusal;
import org.railyard.socklnd.stats.SockLndStats;

/** What {@link SockLndStats} shows. None of it is touched per message. */
public final class Counters {
    public final AtomicInteger connectionsOpen = new AtomicInteger();
    private final Map<InetAddress, Integer> connectionsByAddress = new ConcurrentHashMap<>();
    public final AtomicInteger handshakesOpen = new AtomicInteger();
    public final AtomicInteger peers = new AtomicInteger();
    public final LongAdder accepted = new LongAdder();
    public final LongAdder dialled = new LongAdder();
    public final LongAdder dialsFailed = new LongAdder();
    public final LongAdder closed = new LongAdder();
    public final LongAdder keepalivesSent = new LongAdder();
    public final LongAdder zeroCopyAcksSent = new LongAdder();
    public final LongAdder timeouts = new LongAdder();
    private final Map<HandshakeRefusal, LongAdder> refused = new EnumMap<>(HandshakeRefusal.class);

    Counters() {
        for (HandshakeRefusal reason : HandshakeRefusal.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    /** Counts a connection that is up. */
    public void connected(InetAddress remote) {
        connectionsOpen.incrementAndGet();
        count(remote, 1);
    }

    /** A connection that was up is not any more; another thread may say so before the one that counts it. */
    public void disconnected(InetAddress remote) {
        connectionsOpen.decrementAndGet();
        count(remote, -1);
    }

    private void count(InetAddress remote, int more) {
        connectionsByAddress.merge(remote, more, (before, change) -> before + change == 0 ? null : before + change);
    }

    /** Returns how many connections there are with an address. */
    public int connectionsWith(InetAddress remote) {
        return Math.max(0, connectionsByAddress.getOrDefault(remote, 0));
    }

    /** Counts a handshake that was refused. */
    public void refused(HandshakeRefusal reason) {
        LongAdder count = refused.get(reason);
        if (count != null) {
            count.increment();
        }
    }

    /** Returns the figures of this moment. */
    public SockLndStats snapshot() {
        Map<HandshakeRefusal, Long> counts = new EnumMap<>(HandshakeRefusal.class);
        refused.forEach((reason, count) -> counts.put(reason, count.sum()));
        return new SockLndStats(
                connectionsOpen.get(),
                handshakesOpen.get(),
                peers.get(),
                accepted.sum(),
                dialled.sum(),
                dialsFailed.sum(),
                closed.sum(),
                keepalivesSent.sum(),
                zeroCopyAcksSent.sum(),
                timeouts.sum(),
                counts);
    }
}
