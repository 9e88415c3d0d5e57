package org.railyard.roce;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.wire.Route;

/** A network that loses, repeats and overtakes, by a seed, on top of one that does not. */
final class PoorDatagrams implements Datagrams {
    private final Datagrams below;
    private final SplittableRandom random;
    private volatile double loss;
    private volatile double repetition;
    private volatile double overtaking;

    PoorDatagrams(Datagrams below, long seed) {
        this.below = below;
        this.random = new SplittableRandom(seed);
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
    public boolean isUp(LocalInterface which) {
        return below.isUp(which);
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

        private @Nullable Route heldRoute;

        PoorSocket(Socket socket) {
            this.socket = socket;
        }

        @Override
        public boolean send(ByteBuffer datagram, Route route) {
            if (random.nextDouble() < loss) {
                return true;
            }
            if (heldRoute == null && random.nextDouble() < overtaking) {
                held = new byte[datagram.remaining()];
                datagram.get(held);
                heldRoute = route;
                return true;
            }
            int start = datagram.position();
            boolean taken = socket.send(datagram, route);
            if (random.nextDouble() < repetition) {
                socket.send(datagram.position(start), route);
            }
            Route late = heldRoute;
            if (late != null && held != null) {
                heldRoute = null;
                socket.send(ByteBuffer.wrap(held), late);
            }
            return taken;
        }

        @Override
        public @Nullable Route receive(ByteBuffer into) {
            return socket.receive(into);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
