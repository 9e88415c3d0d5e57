package org.railyard.bench.sm;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.rmpp.RmppSettings;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.master.Master;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;
import org.railyard.sm.sa.SaSettings;

/**
 * The master of a cubic torus of simulated agents, a host at each switch, routed by torus-2QoS. Everything happens in
 * the thread that calls.
 */
public final class SimulatedMaster {
    private static final long PATIENCE = 600_000_000_000L;

    private final SimulatedSubnet subnet;
    private final Master master;
    private final Watch watch = new Watch();

    /**
     * Builds the agents, as after power-on; nothing is sent.
     *
     * @param side switches in each of three dimensions
     */
    public SimulatedMaster(int side) {
        SampleTorus torus = SampleTorus.torus(side, side, side, 1);
        Fabric cabled = torus.fabric();
        subnet = new SimulatedSubnet(cabled, SimulationSettings.DEFAULT, new SplittableRandom(1));
        RoutingSettings routing = RoutingSettings.of(
                EngineName.TORUS_2QOS.engine(TorusConfParser.parse(torus.conf(1)), false, List.of()));
        master = new Master(
                subnet.attach(cabled.portIndex(cabled.switchCount(), 1)),
                RmppSettings.DEFAULT,
                SmSettings.of(routing),
                SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS),
                TextStore.NONE,
                watch);
    }

    /** Returns the agents. */
    public SimulatedSubnet subnet() {
        return subnet;
    }

    /** Returns the subnet manager and its subnet administration. */
    public Master master() {
        return master;
    }

    /** Returns the subnet as the last sweep left it. */
    public Fabric fabric() {
        return master.manager().snapshot().orElseThrow().fabric();
    }

    /** Makes the first sweep, and returns its report. */
    public SweepReport bringUp() {
        subnet.loop().execute(master::start);
        return awaitSweep();
    }

    /** What a lost cable took. */
    record Loss(SweepReport report, long trapToEndNanos) {}

    /** Pulls a cable, and waits until the tables are right again. */
    Loss pull(int port) {
        watch.trappedAt = 0;
        subnet.unlink(port);
        SweepReport report = awaitSweep();
        return new Loss(report, subnet.loop().nanoTime() - watch.trappedAt);
    }

    /** Puts a cable back, and waits until it is in use. */
    void putBack(int port) {
        subnet.relink(port);
        awaitSweep();
    }

    private SweepReport awaitSweep() {
        watch.last = null;
        if (!subnet.loop().runUntil(() -> watch.last != null && master.manager().isIdle(), PATIENCE)) {
            throw new IllegalStateException("no sweep has ended");
        }
        SweepReport report = watch.last;
        if (report == null || report.result() != SweepReport.Result.DONE) {
            throw new IllegalStateException("not done: " + report);
        }
        return report;
    }

    private final class Watch implements SmListener {
        private @Nullable SweepReport last;
        private long trappedAt;

        @Override
        public void swept(SweepReport report) {
            last = report;
        }

        @Override
        public void role(SmRole role, String why) {
            // There is no other one.
        }

        @Override
        public void published(SubnetSnapshot snapshot) {
            // The subnet administration has it.
        }

        @Override
        public void failed(ErrnoException why) {
            throw why;
        }

        @Override
        public void trapped(Notice notice, int fromLid, String text) {
            if (trappedAt == 0) {
                trappedAt = subnet.loop().nanoTime();
            }
        }
    }
}
