package org.railyard.lnet.sim;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.host.Host;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.LndProvider;
import org.railyard.lnet.lnd.LndUpcalls;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.wire.LNetHeader;
import org.railyard.lnet.wire.WireFormatException;

/** A transport in memory. Headers go over it as bytes, so that what does not survive encoding does not survive a test. */
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

    private final TestNetwork network;
    private final LndUpcalls stack;

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
            throw new LNetException(Errno.ENETDOWN, "no interface " + request.interfaceName());
        }
        return new NiBinding(nid, "test0", -1);
    }

    @Override
    public void startup(LndNi ni) {
        network.endpoints.put(ni.nid(), new TestNetwork.Endpoint(ni, stack));
    }

    @Override
    public void shutdown(LndNi ni) {
        network.endpoints.remove(ni.nid());
    }

    @Override
    public int send(LndNi ni, LndMessage message) {
        network.events.add(() -> transmit(ni, message));
        return 0;
    }

    private void transmit(LndNi ni, LndMessage message) {
        TestNetwork.Endpoint to = network.endpoints.get(message.nextHop());
        if (to == null) {
            stack.complete(message, Errno.EHOSTUNREACH.status(), HealthStatus.REMOTE_DROPPED);
            return;
        }
        LNetHeader header = recode(message.header());
        byte[] payload = bytes(message);
        TestNetwork.Packet packet = new TestNetwork.Packet(ni.nid(), header, payload);
        network.record(packet);
        stack.complete(message, 0, HealthStatus.OK);
        if (!network.isLost(packet)) {
            network.events.add(() -> arrive(to, ni.nid(), header, MemorySegment.ofArray(payload)));
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

    static int arrive(TestNetwork.Endpoint to, Nid from, LNetHeader header, MemorySegment payload) {
        return to.stack().parse(to.ni(), header, from, header.srcPid(), (message, mlen, rlen) -> {
            if (message == null) {
                return;
            }
            long at = 0;
            for (int i = 0; i < message.fragmentCount(); i++) {
                ByteBuffer fragment = message.fragments()[i];
                int take = fragment.remaining();
                fragment.put(payload.asSlice(at, take).asByteBuffer());
                at += take;
            }
            if (at != mlen) {
                throw new AssertionError("fragments take " + at + " bytes, expected " + mlen);
            }
            to.stack().complete(message, 0, HealthStatus.OK);
        });
    }

    @Override
    public int timeoutSeconds() {
        return 0;
    }

    @Override
    public void close() {}
}
