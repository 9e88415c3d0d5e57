package org.railyard.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.railyard.roce.api.RoceCounters;
import org.railyard.roce.net.Datagrams;
import org.railyard.roce.net.LocalInterface;
import org.railyard.roce.wire.Frame;
import org.railyard.roce.wire.UdpRoute;
import org.railyard.verbs.card.cm.Reach;
import org.railyard.verbs.card.memory.MemoryPiece;

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
        private final Frame outgoing = new Frame();
        private final Frame copy = new Frame();

        /** A datagram that the next one overtakes. */
        private byte @Nullable [] held;

        private @Nullable UdpRoute heldRoute;

        PoorSocket(Socket socket) {
            this.socket = socket;
        }

        @Override
        public int room() {
            return socket.room();
        }

        @Override
        public Frame outgoing() {
            return outgoing;
        }

        /** A packet is finished when it is sent: until then payload may be anywhere. */
        @Override
        public boolean fetchesPayload() {
            return true;
        }

        @Override
        public Sent send(UdpRoute route, Unsent unsent, int psn) {
            boolean lost = down.contains(route.sourceIp())
                    || stalls.contains(new Way(route.sourceIp(), route.destinationIp()));
            if (lost || random.nextDouble() < loss) {
                return Sent.YES;
            }
            ByteBuffer datagram = outgoing.finish(route);
            byte[] bytes = new byte[datagram.remaining()];
            datagram.get(bytes);
            MemoryPiece outside = outgoing.outside();
            if (outside != null) {
                outside.bytes().clear().get(outside.start(), bytes, outgoing.payloadOffset(), outside.length());
            }
            if (heldRoute == null && random.nextDouble() < overtaking) {
                held = bytes;
                heldRoute = route;
                return Sent.YES;
            }
            Sent taken = pass(bytes, route, unsent, psn);
            if (random.nextDouble() < repetition) {
                pass(bytes, route, Unsent.IGNORED, psn);
            }
            UdpRoute late = heldRoute;
            if (late != null && held != null) {
                heldRoute = null;
                pass(held, late, Unsent.IGNORED, psn);
            }
            return taken;
        }

        /** Lets the network below send it, with the checksum that it wants. */
        private Sent pass(byte[] bytes, UdpRoute route, Unsent unsent, int psn) {
            copy.clear();
            copy.datagram().put(bytes);
            if (copy.arrived(route) != Frame.Fault.NONE) {
                throw new AssertionError("a bad packet comes from the provider");
            }
            Frame to = socket.outgoing()
                    .begin(copy.opcode(), copy.destinationQp(), copy.isSolicited(), copy.wantsAck(), copy.psn());
            int header = copy.opcode().extraHeaderBytes();
            MemorySegment.copy(
                    copy.memory(),
                    copy.payloadOffset() - header,
                    to.memory(),
                    to.payloadOffset() - header,
                    header + copy.payloadLength());
            if (socket.fetchesPayload() && copy.payloadLength() > 0) {
                to.payload(elsewhere(copy));
            } else {
                to.payload(copy.payloadLength());
            }
            return socket.send(route, unsent, psn);
        }

        /** Returns the payload of a packet in memory that is collected when it was sent. */
        private static MemoryPiece elsewhere(Frame packet) {
            MemorySegment payload = Arena.ofAuto().allocate(packet.payloadLength());
            MemorySegment.copy(packet.memory(), packet.payloadOffset(), payload, 0, packet.payloadLength());
            MemoryPiece piece = new MemoryPiece();
            piece.set(payload.asByteBuffer(), 0, packet.payloadLength(), payload.address());
            return piece;
        }

        @Override
        public void flush() {
            socket.flush();
        }

        @Override
        public long flushes() {
            return socket.flushes();
        }

        @Override
        public @Nullable UdpRoute receive(Frame into) {
            return socket.receive(into);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
