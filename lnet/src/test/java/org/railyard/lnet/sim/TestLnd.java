package org.railyard.lnet.sim;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndReceiver;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.MessageType;

/**
 * A transport in memory. Headers go over it as bytes, so that what does not survive encoding does not survive a test.
 */
public final class TestLnd implements Lnd {
    /** Makes transports on one network. */
    public record Provider(TestNetwork network) implements LndProvider {
        @Override
        public NetType type() {
            return NetType.TCP;
        }

        @Override
        public Lnd create(LndUpcalls stack, Host host) {
            return new TestLnd(network, stack);
        }
    }

    /** A message on loan from the stack. */
    static final class Outgoing {
        final TestLnd lnd;
        final LndNi ni;
        final LndMessage message;
        /** Where the answer to a GET is written; null if it comes as a message. */
        final @Nullable LndMessage reply;

        private boolean done;

        Outgoing(TestLnd lnd, LndNi ni, LndMessage message, @Nullable LndMessage reply) {
            this.lnd = lnd;
            this.ni = ni;
            this.message = message;
            this.reply = reply;
        }

        /** Completes it as one of several; returns what ends them. */
        Runnable completeSoon() {
            done = true;
            lnd.outgoing.remove(this);
            lnd.stack.completeSoon(message);
            return lnd.stack::flush;
        }

        void complete(int status, HealthStatus health) {
            if (!done) {
                done = true;
                lnd.outgoing.remove(this);
                if (reply != null) {
                    lnd.stack.complete(reply, status, health);
                }
                lnd.stack.complete(message, status, health);
            }
        }
    }

    private final TestNetwork network;
    private final LndUpcalls stack;
    private final List<Outgoing> outgoing = new ArrayList<>();

    TestLnd(TestNetwork network, LndUpcalls stack) {
        this.network = network;
        this.stack = stack;
    }

    @Override
    public NetType type() {
        return NetType.TCP;
    }

    @Override
    public NiBinding resolve(NiRequest request) {
        Nid nid = request.nid();
        if (nid == null) {
            throw new ErrnoException(Errno.ENETDOWN, "no interface " + request.interfaceName());
        }
        return new NiBinding(nid, "test0", network.numaNode(nid));
    }

    @Override
    public void startup(LndNi ni) {
        network.starting(ni);
        network.endpoints.put(ni.nid(), new TestNetwork.Endpoint(ni, stack));
    }

    @Override
    public void shutdown(LndNi ni) {
        network.endpoints.remove(ni.nid());
        for (Outgoing each : List.copyOf(outgoing)) {
            if (each.ni == ni) {
                each.complete(Errno.ESHUTDOWN.status(), HealthStatus.LOCAL_ERROR);
            }
        }
        network.stopped(ni);
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        TestNetwork.Endpoint self = network.endpoints.get(ni.nid());
        if (self == null || self.ni() != ni) {
            return Errno.ESHUTDOWN.status();
        }
        network.noteTimeout(message);
        int refusal = network.refusal(message.header());
        if (refusal < 0) {
            return refusal;
        }
        boolean placed = network.placesReplies && message.header().type() == MessageType.GET;
        Outgoing each = new Outgoing(this, ni, message, placed ? stack.reply(ni, message) : null);
        outgoing.add(each);
        network.post(() -> transmit(each));
        return 0;
    }

    private void transmit(Outgoing each) {
        if (each.done) {
            return;
        }
        LNetHeader header = recode(each.message.header());
        if (network.isHeld(header, each.message.nextHop())) {
            network.held.add(() -> transmit(each));
            return;
        }
        TestNetwork.Endpoint to = network.endpoints.get(each.message.nextHop());
        // Who is no node can not be called.
        boolean isNode = (each.message.nextHopPid() & ProcessId.USER_FLAG) == 0;
        if (to == null || !isNode || network.cut.contains(each.message.nextHop())) {
            each.complete(Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED);
            return;
        }
        TestNetwork.Failure failure = network.failure(header);
        if (failure != null) {
            each.complete(failure.errno().status(), failure.health());
            return;
        }
        byte[] payload = bytes(each.message);
        failure = network.late().failure(header);
        if (failure != null) {
            each.complete(failure.errno().status(), failure.health());
            return;
        }
        Nid from = each.ni.nid();
        TestNetwork.Packet packet = new TestNetwork.Packet(from, header, payload);
        network.record(packet);
        if (each.reply != null) {
            to.stack().parse(to.ni(), header, from, header.srcPid(), new Placed(to, each, each.reply, packet));
            return;
        }
        if (network.late().keeps(packet)) {
            network.late().add(each);
        } else {
            each.complete(0, HealthStatus.OK);
        }
        if (!network.isLost(packet)) {
            network.post(() -> deliver(to, packet));
        }
    }

    /** The way from the memory of a node that answers a GET to that of the one that asks. */
    private final class Placed implements LndReceiver {
        private final TestNetwork.Endpoint at;
        private final Outgoing get;
        private final LndMessage reply;
        private final TestNetwork.Packet packet;

        Placed(TestNetwork.Endpoint at, Outgoing get, LndMessage reply, TestNetwork.Packet packet) {
            this.at = at;
            this.get = get;
            this.reply = reply;
            this.packet = packet;
        }

        @Override
        public boolean placesReply() {
            return true;
        }

        @Override
        public void receive(@Nullable LndMessage answer, int mlen, int rlen) {
            if (answer == null) {
                get.complete(Errno.ENODATA.status(), HealthStatus.REMOTE_ERROR);
                return;
            }
            byte[] bytes = bytes(answer);
            if (bytes.length != mlen) {
                throw new AssertionError("told to write " + mlen + " bytes of " + bytes.length);
            }
            at.stack().complete(answer, 0, HealthStatus.OK);
            scatter(MemorySegment.ofArray(bytes), reply, mlen);
            stack.setReplyLength(reply, mlen);
            if (network.late().keeps(packet)) {
                network.late().add(get);
            } else {
                get.complete(0, HealthStatus.OK);
            }
        }
    }

    private static void scatter(MemorySegment payload, LndMessage message, int bytes) {
        int at = 0;
        for (int i = 0; i < message.fragmentCount(); i++) {
            ByteBuffer fragment = message.fragments()[i];
            int take = Math.min(fragment.remaining(), bytes - at);
            fragment.put(payload.asSlice(at, take).asByteBuffer());
            at += take;
        }
        if (at != bytes) {
            throw new AssertionError("fragments take " + at + " bytes, expected " + bytes);
        }
    }

    private void deliver(TestNetwork.Endpoint to, TestNetwork.Packet packet) {
        if (network.endpoints.get(to.ni().nid()) == to) {
            int status = arrive(
                    network,
                    to,
                    packet.from(),
                    packet.header(),
                    MemorySegment.ofArray(packet.payload()),
                    network.isDamaged(packet) ? Errno.EIO.status() : 0);
            if (status < 0) {
                network.refused.add(packet);
            }
        }
    }

    private static LNetHeader recode(LNetHeader header) {
        boolean large = !header.destNid().isNid4() || !header.srcNid().isNid4();
        LNetHeader copy = new LNetHeader();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wire = arena.allocate(LNetHeader.bytes(large));
            header.write(wire, 0, large);
            copy.read(wire, 0, large);
        } catch (WireFormatException e) {
            throw new AssertionError(e);
        }
        return copy;
    }

    private static byte[] bytes(LndMessage message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < message.fragmentCount(); i++) {
            ByteBuffer fragment = message.fragments()[i];
            byte[] part = new byte[fragment.remaining()];
            fragment.get(part);
            out.writeBytes(part);
        }
        if (out.size() != message.payloadLength()) {
            throw new AssertionError(
                    "fragments hold " + out.size() + " bytes, the message says " + message.payloadLength());
        }
        return out.toByteArray();
    }

    /** A message that arrived: its payload is asked for once, or the message is refused. */
    private static final class Arrival implements LndReceiver {
        private final TestNetwork network;
        private final TestNetwork.Endpoint to;
        private final MemorySegment payload;
        private final int damage;

        Arrival(TestNetwork network, TestNetwork.Endpoint to, MemorySegment payload, int damage) {
            this.network = network;
            this.to = to;
            this.payload = payload;
            this.damage = damage;
        }

        @Override
        public void receive(@Nullable LndMessage message, int mlen, int rlen) {
            if (!network.unread.remove(this)) {
                throw new AssertionError("a payload is asked for twice");
            }
            if (message == null) {
                return;
            }
            network.bring(to, soon -> end(message, mlen, soon));
        }

        private void end(LndMessage message, int mlen, boolean soon) {
            if (damage < 0) {
                to.stack().complete(message, damage, HealthStatus.LOCAL_ERROR);
                return;
            }
            scatter(payload, message, mlen);
            if (soon) {
                to.stack().completeSoon(message);
            } else {
                to.stack().complete(message, 0, HealthStatus.OK);
            }
        }
    }

    static int arrive(
            TestNetwork network,
            TestNetwork.Endpoint to,
            Nid from,
            LNetHeader header,
            MemorySegment payload,
            int damage) {
        Arrival arrival = new Arrival(network, to, payload, damage);
        network.unread.add(arrival);
        int status = to.stack().parse(to.ni(), header, from, header.srcPid(), arrival);
        if (status < 0 && !network.unread.remove(arrival)) {
            throw new AssertionError("the payload of a message that is refused is asked for");
        }
        return status;
    }

    @Override
    public void dropConnections(LndNi ni, Nid peer) {
        network.dropped.add(ni.nid() + " > " + peer);
    }

    @Override
    public int timeoutSeconds() {
        return network.lndSeconds;
    }

    @Override
    public int messagesPer(MessageType type, int payload) {
        return network.lndParts;
    }

    @Override
    public void close() {
        if (!outgoing.isEmpty()) {
            throw new AssertionError(outgoing.size() + " messages were sent on NIs that are closed");
        }
    }
}
