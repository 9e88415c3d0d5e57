package org.railyard.bench.micro;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.railyard.base.host.CpuLayout;
import org.railyard.base.host.StateLock;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.UdspRule;
import org.railyard.lnet.cpt.CptTable;
import org.railyard.lnet.lnd.Lnd;
import org.railyard.lnet.lnd.LndMessage;
import org.railyard.lnet.lnd.LndNi;
import org.railyard.lnet.lnd.NetTunables;
import org.railyard.lnet.lnd.NiBinding;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.model.LocalNet;
import org.railyard.lnet.model.LocalNi;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.PeerNet;
import org.railyard.lnet.model.PeerNi;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.NetType;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.peer.NiTable;
import org.railyard.lnet.route.RouteTable;
import org.railyard.lnet.select.PathSelector;
import org.railyard.lnet.udsp.Policy;

/**
 * One decision of which way a message goes, from one of several local NIs to one of several NIDs of a multi-rail peer.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SelectionBenchmark {
    private static final int RAILS = 8;

    /**
     * How the rails lie: all on one net, on two nets of half of them each, or on one net with a selection rule for each
     * pair.
     */
    @Param({"one-net", "two-nets", "pair-rules"})
    public String shape = "";

    private final Policy policy = new Policy();
    private final NiTable nis = new NiTable(policy);
    private final CptTable cpts = CptTable.of(CpuLayout.grid(2, 4, 20), 0, "N");
    private final PathSelector selector =
            new PathSelector(nis, nid -> null, new RouteTable(new StateLock()), cpts, policy, () -> 0);
    private final Peer peer = new Peer(Nid.of(Net.TCP, 1));
    private final Message message = new Message();
    private PeerNi target = new PeerNi(Nid.of(Net.TCP, 1), new PeerNet(Net.TCP, peer), 1);

    /** Makes the rails. */
    @Setup
    public void prepare() {
        peer.set(PeerState.MULTI_RAIL);
        LocalNet[] here = new LocalNet[2];
        PeerNet[] there = new PeerNet[2];
        for (int i = 0; i < 2; i++) {
            here[i] = new LocalNet(Net.of(NetType.TCP, i), NetTunables.DEFAULT);
            there[i] = new PeerNet(here[i].net(), peer);
        }
        int nets = shape.equals("two-nets") ? 2 : 1;
        for (int i = 0; i < RAILS; i++) {
            int net = i % nets;
            Nid nid = Nid.of(here[net].net(), (10 << 24) + i);
            LocalNi ni = new LocalNi(
                    here[net], new NiBinding(nid, "rail" + i, -1), new NoLnd(), Map.of(), i % 2, cpts.all());
            ni.become(LocalNi.State.ACTIVE);
            nis.add(ni, Integer.MAX_VALUE);
            Nid remote = Nid.of(here[net].net(), (11 << 24) + i);
            PeerNi peerNi = new PeerNi(remote, there[net], NetTunables.DEFAULT.peerCredits());
            there[net].nis.add(peerNi);
            target = i == 0 ? peerNi : target;
            if (shape.equals("pair-rules")) {
                policy.add(UdspRule.of(nid.toString(), remote.toString(), null), -1);
            }
        }
        for (int i = 0; i < nets; i++) {
            peer.nets.add(there[i]);
        }
        policy.apply(nis.nets(), List.of(peer));
        message.header().setPut(8, Wire.NO_COOKIE, Wire.NO_COOKIE, 33, 0, 0, 0);
        message.path().request(Nid.ANY, target.nid());
        message.setMd(
                new MemoryDescriptor(MdConfig.of(Arena.ofAuto().allocate(8)).withCpt(0), md -> {}));
    }

    /** Chooses NI and peer NI, and stamps them, so that the next choice is another one. */
    @Benchmark
    public int select() {
        return selector.select(message, target, Settings.DEFAULT);
    }

    /** A transport that is never called. */
    private static final class NoLnd implements Lnd {
        private static UnsupportedOperationException never() {
            return new UnsupportedOperationException("selection calls no transport");
        }

        @Override
        public NetType type() {
            return NetType.TCP;
        }

        @Override
        public NiBinding resolve(NiRequest request) {
            throw never();
        }

        @Override
        public void startup(LndNi ni) {
            throw never();
        }

        @Override
        public void shutdown(LndNi ni) {
            throw never();
        }

        @Override
        public int send(LndNi ni, LndMessage sent) {
            throw never();
        }

        @Override
        public int timeoutSeconds() {
            throw never();
        }

        @Override
        public void close() {}
    }
}
