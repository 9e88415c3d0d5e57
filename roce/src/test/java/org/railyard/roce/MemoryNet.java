package org.railyard.roce;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.softverbs.time.VirtualTime;
import org.railyard.verbs.card.cm.Reach;

/**
 * A network in memory and in virtual time: datagrams take some time, and are lost where nobody listens or a queue is
 * full.
 */
final class MemoryNet {
    private static final long DELAY_NANOS = 20_000;
    private static final int QUEUE = 512;
    private static final int DATAGRAM = 4096;

    private record Arrived(UdpRoute route, byte[] bytes) {}

    private final VirtualTime time;
    private final Map<Integer, MemorySocket> sockets = new LinkedHashMap<>();
    private final Map<Integer, BiConsumer<UdpRoute, byte[]>> listeners = new LinkedHashMap<>();
    private final Set<Integer> down = new LinkedHashSet<>();
    private final Map<Integer, Integer> mtus = new LinkedHashMap<>();
    private final Set<Long> cuts = new LinkedHashSet<>();

    MemoryNet(VirtualTime time) {
        this.time = time;
    }

    /** Returns the network as one machine sees it. */
    Datagrams machine() {
        return new Machine();
    }

    void setDown(int ip, boolean isDown) {
        if (isDown) {
            down.add(ip);
        } else {
            down.remove(ip);
        }
    }

    void setMtu(int ip, int mtu) {
        mtus.put(ip, mtu);
    }

    void cut(int one, int other, boolean isCut) {
        if (isCut) {
            cuts.add(pair(one, other));
            cuts.add(pair(other, one));
        } else {
            cuts.remove(pair(one, other));
            cuts.remove(pair(other, one));
        }
    }

    private static long pair(int from, int to) {
        return (long) from << Integer.SIZE | Integer.toUnsignedLong(to);
    }

    /** Lets a datagram arrive that nobody of this network has sent. */
    void inject(UdpRoute route, byte[] bytes) {
        time.at(time.now() + DELAY_NANOS, () -> arrive(new Arrived(route, bytes)));
    }

    /** The same, at once. */
    void injectNow(UdpRoute route, byte[] bytes) {
        arrive(new Arrived(route, bytes));
    }

    /** Returns how often what a machine had taken had to leave. */
    long flushes(int ip) {
        return Objects.requireNonNull(sockets.get(ip)).flushes;
    }

    /** Lets somebody who is no machine of this network hear what is sent to an address. */
    void listen(int ip, BiConsumer<UdpRoute, byte[]> listener) {
        listeners.put(ip, listener);
    }

    private void arrive(Arrived datagram) {
        UdpRoute route = datagram.route;
        BiConsumer<UdpRoute, byte[]> listener = listeners.get(route.destinationIp());
        if (listener != null) {
            listener.accept(route, datagram.bytes);
        }
        MemorySocket to = sockets.get(route.destinationIp());
        if (to != null
                && to.waiting.size() < QUEUE
                && !cuts.contains(pair(route.sourceIp(), route.destinationIp()))
                && !down.contains(route.sourceIp())
                && !down.contains(route.destinationIp())) {
            to.waiting.add(datagram);
            to.machine.wakeup();
        }
    }

    private final class Machine implements Datagrams {
        private @Nullable Runnable wake;

        @Override
        public Socket open(LocalInterface at, int udpPort, RoceCounters counters) {
            MemorySocket socket = new MemorySocket(this, at.ip());
            sockets.put(at.ip(), socket);
            return socket;
        }

        @Override
        public Link look(LocalInterface which) {
            return new Link(!down.contains(which.ip()), mtus.getOrDefault(which.ip(), 0));
        }

        @Override
        public Reach reach(LocalInterface from, int ip) {
            return Reach.YES;
        }

        @Override
        public void attach(Runnable toWake) {
            wake = toWake;
        }

        @Override
        public boolean await(long nanos) {
            return false;
        }

        @Override
        public void wakeup() {
            if (wake != null) {
                wake.run();
            }
        }

        @Override
        public void close() {
            // Sockets are closed one by one.
        }
    }

    private final class MemorySocket implements Datagrams.Socket {
        private final Machine machine;
        private final int ip;
        private final Frame outgoing = new Frame();
        private final ArrayDeque<Arrived> waiting = new ArrayDeque<>();
        private final ArrayDeque<Arrived> leaving = new ArrayDeque<>();
        private long flushes;

        MemorySocket(Machine machine, int ip) {
            this.machine = machine;
            this.ip = ip;
        }

        @Override
        public int room() {
            return QUEUE * DATAGRAM;
        }

        @Override
        public Frame outgoing() {
            return outgoing;
        }

        @Override
        public Datagrams.Sent send(UdpRoute route, Datagrams.Unsent unsent, int psn) {
            if (down.contains(ip)) {
                // As a system without a route says.
                return Datagrams.Sent.NO;
            }
            ByteBuffer datagram = outgoing.finish(route);
            byte[] bytes = new byte[datagram.remaining()];
            datagram.get(bytes);
            leaving.add(new Arrived(route, bytes));
            return Datagrams.Sent.YES;
        }

        @Override
        public void flush() {
            flushes++;
            for (Arrived next = leaving.poll(); next != null; next = leaving.poll()) {
                inject(next.route, next.bytes);
            }
        }

        @Override
        public long flushes() {
            return flushes;
        }

        @Override
        public @Nullable UdpRoute receive(Frame into) {
            Arrived next = waiting.poll();
            if (next == null) {
                return null;
            }
            into.clear();
            into.datagram()
                    .put(
                            next.bytes,
                            0,
                            Math.min(next.bytes.length, into.datagram().remaining()));
            return next.route;
        }

        @Override
        public void close() {
            sockets.remove(ip, this);
        }
    }
}
