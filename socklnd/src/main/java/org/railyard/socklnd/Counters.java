package org.railyard.socklnd;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What {@link SockLndStats} shows. None of it is touched per message. */
final class Counters {
    final AtomicInteger connectionsOpen = new AtomicInteger();
    final AtomicInteger handshakesOpen = new AtomicInteger();
    final AtomicInteger peers = new AtomicInteger();
    final LongAdder accepted = new LongAdder();
    final LongAdder dialled = new LongAdder();
    final LongAdder dialsFailed = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder keepalivesSent = new LongAdder();
    final LongAdder zeroCopyAcksSent = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    private final Map<HandshakeRefusal, LongAdder> refused = new EnumMap<>(HandshakeRefusal.class);

    Counters() {
        for (HandshakeRefusal reason : HandshakeRefusal.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    void refused(HandshakeRefusal reason) {
        LongAdder count = refused.get(reason);
        if (count != null) {
            count.increment();
        }
    }

    SockLndStats snapshot() {
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
