package org.railyard.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.railyard.base.ErrnoException;
import org.railyard.fabric.format.FreshLids;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.role.SmRole;

/** A subnet manager at the first host of a simulated torus, and what it told. */
final class SimulatedSm implements SmListener {
    static final long SECOND = 1_000_000_000L;
    static final long PATIENCE = 600 * SECOND;

    final Fabric fabric;
    final SimulatedSubnet subnet;
    final SimulatedPort port;
    final SubnetManager manager;
    final List<SweepReport> reports = new ArrayList<>();
    final List<ErrnoException> failures = new ArrayList<>();
    final List<Integer> traps = new ArrayList<>();
    final int smPort;

    SimulatedSm(Fabric fabric, SmSettings settings, TextStore store, long seed) {
        this(
                new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(seed)),
                FreshLids.firstEndPort(fabric),
                settings,
                store);
    }

    /** The same at a port of a subnet that is there already. */
    SimulatedSm(SimulatedSubnet subnet, int smPort, SmSettings settings, TextStore store) {
        this.fabric = subnet.fabric();
        this.subnet = subnet;
        this.smPort = smPort;
        this.port = subnet.attach(smPort);
        this.manager = new SubnetManager(port, settings, store, this, (mad, from) -> {});
    }

    static SmSettings torus(SampleTorus torus) {
        return SmSettings.of(RoutingSettings.of(
                EngineName.TORUS_2QOS.engine(TorusConfParser.parse(torus.conf(1)), false, List.of())));
    }

    static SimulatedSm of(SampleTorus torus, long seed) {
        return new SimulatedSm(torus.fabric(), torus(torus), TextStore.NONE, seed);
    }

    /** The same with the engine's SL to VL tables for packets that turn back: more routes have to be drained. */
    static SimulatedSm keepingTurnsBack(SampleTorus torus, long seed) {
        return new SimulatedSm(torus.fabric(), torus(torus).withTurnsBack(true), TextStore.NONE, seed);
    }

    /** Starts, and runs until the first sweep that was complete. */
    SimulatedSm started() {
        subnet.loop().execute(manager::start);
        settle();
        return this;
    }

    /** Runs until a complete sweep has ended and nothing is pending. */
    boolean settle() {
        int before = reports.size();
        return subnet.loop()
                .runUntil(
                        () -> reports.size() > before && manager.isIdle() && last().result() == SweepReport.Result.DONE,
                        PATIENCE);
    }

    /** Returns a port of a switch with a cable to another one. */
    int cable(int sw) {
        for (int port = fabric.portIndex(sw, 1); port <= fabric.portIndex(sw, fabric.ports(sw)); port++) {
            int peer = fabric.cable(port);
            if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
                return port;
            }
        }
        throw new AssertionError("no cable");
    }

    SweepReport last() {
        return reports.getLast();
    }

    SubnetSnapshot snapshot() {
        return manager.snapshot().orElseThrow();
    }

    @Override
    public void swept(SweepReport report) {
        reports.add(report);
    }

    @Override
    public void role(SmRole role, String why) {}

    @Override
    public void published(SubnetSnapshot snapshot) {
        // The manager has it.
    }

    @Override
    public void failed(ErrnoException why) {
        failures.add(why);
    }

    @Override
    public void trapped(Notice notice, int fromLid, String text) {
        traps.add(notice.getInt(Notice.TRAP_NUMBER));
    }

    /** Tells whether its port tells that there is a subnet manager at it. */
    boolean isMarked() {
        return subnet.node(fabric.nodeOf(smPort))
                .portInfo(fabric.portNumber(smPort))
                .can(PortInfo.CAP_IS_SM);
    }
}
