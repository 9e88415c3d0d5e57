package org.railyard.roce;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.Reach;

/** A network that loses, repeats and overtakes, by a seed, on top of one that does not. */
final class PoorDatagrams implements Datagrams {
    private record Way(int from, int to) {}

    private final Datagrams below;
    private final SplittableRandom random;
    private final Set<Way> stalls = ConcurrentHashMap.newKeySet();
    private final Set<Integer> down = ConcurrentHashMap.newKeySet();
    private volatile double loss;
    private volatile double repetition;
    private volatile double overtaking;

    PoorDatagrams(Datagrams below, long seed) {
        this.below = below;
        this.random = new SplittableRandom(seed);
    }

    /** Loses everything from one address to another from now on, or nothing any more. */
    void stall(int from, int to, boolean stalled) {
        if (stalled) {
            stalls.add(new Way(from, to));
        } else {
            stalls.remove(new Way(from, to));
        }
    }

    /** Says that an interface is down, or not any more. */
    void setDown(int ip, boolean isDown) {
        if (isDown) {
            down.add(ip);
        } else {
            down.remove(ip);
        }
    }

    void disturb(double newLoss, double newRepetition, double newOvertaking) {
        loss = newLoss;
        repetition = newRepetition;
        overtaking = newOvertaking;
    }

    @Override
    public Socket open(LocalInterface at, int udpPort, RoceCounters counters) {
        return new PoorSocket(below.open(at, udpPort, counters));
    }

    @Override
    public Link look(LocalInterface which) {
        Link link = below.look(which);
        return new Link(!down.contains(which.ip()) && link.isUp(), link.mtu());
    }

    @Override
    public Reach reach(LocalInterface from, int ip) {
        return below.reach(from, ip);
    }

    @Override
    public void attach(Runnable wake) {
        below.attach(wake);
    }

    @Override
    public boolean await(long nanos) {
        return below.await(nanos);
    }

    @Override
    public void wakeup() {
        below.wakeup();
    }

    @Override
    public void close() {
        below.close();
    }

    private final class PoorSocket implements Socket {
        private final Socket socket;

        /** A datagram that the next one overtakes. */
        private byte @Nullable [] held;

        private @Nullable UdpRoute heldRoute;

        PoorSocket(Socket socket) {
            this.socket = socket;
        }

        @Override
        public Sent send(ByteBuffer datagram, UdpRoute route) {
            boolean lost = down.contains(route.sourceIp())
                    || stalls.contains(new Way(route.sourceIp(), route.destinationIp()));
            if (lost || random.nextDouble() < loss) {
                return Sent.YES;
            }
            if (heldRoute == null && random.nextDouble() < overtaking) {
                held = new byte[datagram.remaining()];
                datagram.get(held);
                heldRoute = route;
                return Sent.YES;
            }
            int start = datagram.position();
            Sent taken = socket.send(datagram, route);
            if (random.nextDouble() < repetition) {
                socket.send(datagram.position(start), route);
            }
            UdpRoute late = heldRoute;
            if (late != null && held != null) {
                heldRoute = null;
                socket.send(ByteBuffer.wrap(held), late);
            }
            return taken;
        }

        @Override
        public @Nullable UdpRoute receive(ByteBuffer into) {
            return socket.receive(into);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
