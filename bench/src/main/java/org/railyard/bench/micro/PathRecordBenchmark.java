package org.railyard.bench.micro;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.layout.Gid;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.lid.LidStore;
import org.railyard.sm.master.Master;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaSettings;

/**
 * What a subnet administration does for one Get of PathRecord by GIDs, as hosts ask when they connect: from the request
 * as it was received to the answer as it is sent, without transport.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PathRecordBenchmark {
    private static final int REQUESTS = 4096;
    private static final long PATIENCE = 600_000_000_000L;

    /** Switches in each of three dimensions, with a host at each. */
    @Param({"4", "10"})
    public int side;

    private final Mad[] requests = new Mad[REQUESTS];
    private final MadAddress[] from = new MadAddress[REQUESTS];
    private @Nullable Master master;
    private int next;

    /** Brings the simulated subnet up, and writes requests between hosts chosen by chance. */
    @Setup
    public void prepare() {
        SampleTorus torus = SampleTorus.torus(side, side, side, 1);
        Fabric cabled = torus.fabric();
        SimulatedSubnet subnet = new SimulatedSubnet(cabled, SimulationSettings.DEFAULT, new SplittableRandom(1));
        RoutingSettings routing = RoutingSettings.of(
                EngineName.TORUS_2QOS.engine(TorusConfParser.parse(torus.conf(1)), false, List.of()));
        Master made = new Master(
                subnet.attach(cabled.portIndex(cabled.switchCount(), 1)),
                RmppSettings.DEFAULT,
                SmSettings.of(routing),
                SaSettings.DEFAULT,
                LidStore.NONE,
                new Quiet());
        subnet.loop().execute(made::start);
        subnet.loop().runUntil(() -> made.manager().isIdle(), PATIENCE);
        Fabric fabric = made.manager().snapshot().orElseThrow().fabric();
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < REQUESTS; i++) {
            int source = host(fabric, random);
            from[i] = MadAddress.gmp(fabric.lid(source), 0);
            requests[i] = request(fabric, source, host(fabric, random));
            int status = made.administration()
                    .answer(requests[i], from[i])
                    .map(Mad::status)
                    .orElse(MadStatus.BUSY);
            if (status != MadStatus.OK) {
                throw new IllegalStateException("a path has status " + MadStatus.text(status));
            }
        }
        master = made;
    }

    private static int host(Fabric fabric, SplittableRandom random) {
        int hosts = fabric.nodeCount() - fabric.switchCount();
        return fabric.portIndex(fabric.switchCount() + random.nextInt(hosts), 1);
    }

    private static Mad request(Fabric fabric, int source, int destination) {
        Mad mad = Mad.sa(
                MadMethod.GET,
                SaPathRecord.TYPE,
                SaPathRecord.DGID.mask()
                        | SaPathRecord.SGID.mask()
                        | SaPathRecord.REVERSIBLE.mask()
                        | SaPathRecord.NUMB_PATH.mask()
                        | SaPathRecord.P_KEY.mask());
        mad.data(SaPathRecord.TYPE)
                .setGid(SaPathRecord.SGID, Gid.DEFAULT_PREFIX, fabric.portGuid(source))
                .setGid(SaPathRecord.DGID, Gid.DEFAULT_PREFIX, fabric.portGuid(destination))
                .set(SaPathRecord.REVERSIBLE, 1)
                .set(SaPathRecord.NUMB_PATH, 1)
                .set(SaPathRecord.P_KEY, 0xFFFF);
        return mad;
    }

    /** Answers the next request. */
    @Benchmark
    public @Nullable Mad get() {
        next = next + 1 & REQUESTS - 1;
        Master asked = master;
        return asked == null
                ? null
                : asked.administration().answer(requests[next], from[next]).orElse(null);
    }

    private static final class Quiet implements SmListener {
        @Override
        public void swept(SweepReport report) {
            // The snapshot is looked at.
        }

        @Override
        public void role(SmRole role, String why) {}

        @Override
        public void published(SubnetSnapshot snapshot) {
            // The subnet administration has it.
        }

        @Override
        public void failed(ErrnoException why) {
            throw why;
        }

        @Override
        public void trapped(Notice notice, int fromLid) {
            // None is sent.
        }
    }
}
