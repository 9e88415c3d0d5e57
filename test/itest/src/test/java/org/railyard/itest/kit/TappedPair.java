package org.railyard.itest.kit;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.railyard.conformance.SteeredHost;
import org.railyard.host.RealHost;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.api.PutResult;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SockLndConfig;

/** Two nodes on loopback whose conversation goes into a capture file; it holds every kind of message there is. */
public final class TappedPair implements AutoCloseable {
    /** The portal of the transfers. */
    public static final int PORTAL = 50;

    /** Length of a transfer for which the sender asks for a zero-copy ack, bytes. */
    public static final int BULK = 70_000;

    private static final int SMALL = 99;
    private static final long BITS = 0x0123_4567_89ab_cdefL;

    private final Wiretap tap;
    private final SteeredHost host = new SteeredHost(new RealHost());
    private final Arena arena = Arena.ofShared();
    private final LNet left;
    private final LNet right;

    /**
     * Starts the nodes.
     *
     * @param capture the file to write
     * @param transport the transport of both nodes; ports are added
     */
    public TappedPair(Path capture, SockLndConfig.Builder transport, int port, String left, String right)
            throws IOException {
        tap = new Wiretap(capture, port, Nid.parse(left), Nid.parse(right));
        SockLndProvider provider = new SockLndProvider(
                transport.zeroCopyRequests(true).peerPorts(tap.ports()).build());
        this.left = LNet.start(LNetConfig.builder()
                .host(host)
                .lnd(provider)
                .ni(Loopback.ni(Nid.parse(left)))
                .build());
        this.right = LNet.start(LNetConfig.builder()
                .host(host)
                .lnd(provider)
                .ni(Loopback.ni(Nid.parse(right)))
                .build());
    }

    /** Returns the NIDs of both. */
    public List<Nid> nids() {
        return List.of(left.nids().getFirst(), right.nids().getFirst());
    }

    /** Ping, discovery with push, PUT with and without ACK, GET, small and bulk. */
    public void talk() {
        Nid to = right.nids().getFirst();
        MemorySegment memory = arena.allocate(BULK, 64);
        for (long at = 0; at < BULK; at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) (at * 7));
        }
        right.attach(
                MeConfig.any(PORTAL),
                MdConfig.of(arena.allocate(BULK, 64))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        Await.value(left.ping(to, Nid.ANY, Duration.ofSeconds(10)));
        Await.value(left.discover(to, false));
        for (int length : new int[] {0, SMALL, BULK}) {
            PutResult put = Await.value(left.put(ProcessId.of(to), PORTAL, BITS + length, memory.asSlice(0, length)));
            if (put.mlength() != length) {
                throw new AssertionError("stored " + put.mlength() + " of " + length + " bytes");
            }
            Await.value(left.get(ProcessId.of(to), PORTAL, BITS + length, arena.allocate(Math.max(length, 1), 64)));
        }
        Md md = left.bind(MdConfig.of(memory.asSlice(0, SMALL)).withThreshold(1).withAutoUnlink());
        left.put(md, false, Nid.ANY, ProcessId.of(to), PORTAL, BITS, 4, 0xfeed_beefL);
        // An answered ping shows that what went before on the same connection has arrived.
        Await.value(left.ping(to, Nid.ANY, Duration.ofSeconds(10)));
    }

    /** Lets time fly until something has happened. */
    public void beIdleUntil(BooleanSupplier condition) {
        Await.until("what happens after a while", () -> {
            host.advance(Duration.ofMillis(400));
            return condition.getAsBoolean();
        });
    }

    /** Stops both nodes and completes the capture. */
    @Override
    public void close() throws IOException {
        left.close();
        right.close();
        tap.close();
        arena.close();
    }
}
