package org.railyard.bench.micro;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.host.RealHostProvider;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
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

/**
 * A whole exchange of two stacks on one thread, from the call to the last event on either side: what the stack costs
 * without a network.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StackBenchmark {
    private static final int PORTAL = 33;
    private static final int BYTES = 64;

    private final ProcessId far = ProcessId.of(Nid.parse("10.0.0.2@tcp"));
    private final ProcessId self = ProcessId.of(Nid.LOOPBACK);
    private final Arena arena = Arena.ofShared();
    private final Wire wire = new Wire();
    private final LNet here = node("10.0.0.1@tcp");
    private final LNet there = node("10.0.0.2@tcp");
    private final Md md = here.bind(MdConfig.of(arena.allocate(BYTES)));

    private LNet node(String nid) {
        LNet node = LNet.start(LNetConfig.builder()
                .host(new RealHostProvider().create())
                .lnd(wire)
                .ni(NiRequest.ofNid(Nid.parse(nid)))
                .build());
        node.attach(
                MeConfig.of(PORTAL, 1),
                MdConfig.of(arena.allocate(BYTES))
                        .withOptions(MdOption.OP_PUT, MdOption.OP_GET, MdOption.MANAGE_REMOTE));
        return node;
    }

    /** Has both nodes know each other. */
    @Setup
    public void discover() {
        here.discover(far.nid(), false).toCompletableFuture().join();
    }

    /** Ends the nodes. */
    @TearDown
    public void close() {
        here.close();
        there.close();
        arena.close();
    }

    /** A PUT of 64 bytes and its ACK. */
    @Benchmark
    public void putWithAck() {
        here.put(md, true, Nid.ANY, far, PORTAL, 1, 0, 0);
    }

    /** A GET of 64 bytes and its REPLY. */
    @Benchmark
    public void get() {
        here.get(md, Nid.ANY, far, PORTAL, 1, 0);
    }

    /** A GET of 64 bytes and its REPLY within the node. */
    @Benchmark
    public void getOverLoopback() {
        here.get(md, Nid.ANY, self, PORTAL, 1, 0);
    }

    private record Endpoint(LndNi ni, LndUpcalls stack) {}

    /** What connects the nodes: delivers on the calling thread. */
    private static final class Wire implements LndProvider {
        private final Map<Nid, Endpoint> endpoints = new ConcurrentHashMap<>();

        @Override
        public NetType type() {
            return NetType.TCP;
        }

        @Override
        public Lnd create(LndUpcalls stack, Host host) {
            return new WireLnd(endpoints, stack);
        }
    }

    /** Copies the one message of a thread. */
    private static final class Transfer implements LndReceiver {
        private @Nullable LndMessage from;
        private @Nullable LndUpcalls stack;

        @Override
        public void receive(@Nullable LndMessage to, int mlen, int rlen) {
            LndMessage sent = from;
            if (to == null || stack == null || sent == null) {
                return;
            }
            for (int i = 0; i < to.fragmentCount(); i++) {
                ByteBuffer target = to.fragments()[i];
                ByteBuffer bytes = sent.fragments()[i];
                target.put(target.position(), bytes, bytes.position(), target.remaining());
            }
            stack.complete(to, 0, HealthStatus.OK);
        }
    }

    private static final class WireLnd implements Lnd {
        private final Map<Nid, Endpoint> endpoints;
        private final LndUpcalls stack;
        private final ThreadLocal<Transfer> transfers = ThreadLocal.withInitial(Transfer::new);

        WireLnd(Map<Nid, Endpoint> endpoints, LndUpcalls stack) {
            this.endpoints = endpoints;
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
            return new NiBinding(nid, "wire0", -1);
        }

        @Override
        public void startup(LndNi ni) {
            endpoints.put(ni.nid(), new Endpoint(ni, stack));
        }

        @Override
        public void shutdown(LndNi ni) {
            endpoints.remove(ni.nid());
        }

        @Override
        public int send(LndNi ni, LndMessage message) {
            Endpoint to = endpoints.get(message.nextHop());
            if (to == null) {
                return Errno.EHOSTUNREACH.status();
            }
            Transfer transfer = transfers.get();
            transfer.from = message;
            transfer.stack = to.stack;
            int status = to.stack.parse(
                    to.ni, message.header(), ni.nid(), message.header().srcPid(), transfer);
            stack.complete(message, status, status < 0 ? HealthStatus.REMOTE_ERROR : HealthStatus.OK);
            return 0;
        }

        @Override
        public int timeoutSeconds() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
