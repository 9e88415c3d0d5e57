package org.railyard.sm.role;

import java.time.Instant;
import java.util.ArrayList;
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
import org.railyard.mad.sim.SimulatedPort;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.Notice;
import org.railyard.mad.smp.PortInfo;
import org.railyard.sm.SmListener;
import org.railyard.sm.SmSettings;
import org.railyard.sm.SweepReport;
import org.railyard.sm.TextStore;
import org.railyard.sm.master.Master;
import org.railyard.sm.model.SubnetSnapshot;
import org.railyard.sm.sa.SaSettings;
import org.railyard.sm.sa.SaStore;

/** Several subnet managers in one simulated torus. */
final class Managers {
    static final long SECOND = 1_000_000_000L;
    static final long PATIENCE = 300 * SECOND;

    final SampleTorus torus;
    final Fabric fabric;
    final SimulatedSubnet subnet;
    final List<One> all = new ArrayList<>();
    /** What those with a store tell. */
    final List<String> told = new ArrayList<>();

    /** Where those that start from now on keep what clients have registered. */
    @Nullable
    SaStore store;

    /** How those that start from now on answer clients. */
    SaSettings administration = SaSettings.DEFAULT.withGroupSls(SaSettings.TORUS_GROUP_SLS);

    /** What one of them has published last. */
    @Nullable
    SubnetSnapshot published;

    /** Returns one of the tori of runs by seed: small, and with rings of two, three and four. */
    static SampleTorus torus(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> SampleTorus.torus(3, 3, 1, 1);
            case 1 -> SampleTorus.torus(2, 3, 2, 1);
            default -> SampleTorus.torus(4, 3, 1, 1);
        };
    }

    Managers(SampleTorus torus, long seed) {
        this(torus, SimulationSettings.DEFAULT, seed);
    }

    Managers(SampleTorus torus, SimulationSettings settings, long seed) {
        this.torus = torus;
        this.fabric = torus.fabric();
        this.subnet = new SimulatedSubnet(fabric, settings, new SplittableRandom(seed));
    }

    SmSettings settings(RoleSettings role) {
        return SmSettings.of(RoutingSettings.of(
                        EngineName.TORUS_2QOS.engine(TorusConfParser.parse(torus.conf(1)), false, List.of())))
                .withRole(role);
    }

    /** Starts one at a host. */
    One start(String host, RoleSettings role) {
        return start(host, settings(role));
    }

    One start(String host, SmSettings settings) {
        One one = add(host, settings, TextStore.NONE);
        if (store != null) {
            one.master.keepIn(store, () -> Instant.EPOCH.plusNanos(subnet.loop().nanoTime()), told::add);
        }
        subnet.loop().execute(one.master::start);
        return one;
    }

    /** Makes one at a host, with a file of LIDs; it is not started. */
    One add(String host, SmSettings settings, TextStore lids) {
        One one = new One(host, settings, lids);
        all.add(one);
        return one;
    }

    One start(String host, int priority) {
        return start(host, RoleSettings.DEFAULT.withPriority(priority));
    }

    int port(String host) {
        for (int node = 0; node < fabric.nodeCount(); node++) {
            if (fabric.description(node).equals(host)) {
                return fabric.portIndex(node, 1);
            }
        }
        throw new IllegalArgumentException(host);
    }

    /** Runs until this one is master and its subnet right, and all others that live stand by. */
    boolean settle(One master) {
        return subnet.loop().runUntil(() -> isSettled(master), PATIENCE);
    }

    private boolean isSettled(One master) {
        for (One one : all) {
            if (one.isDead) {
                continue;
            }
            SmRole role = one.master.manager().role();
            if (!one.master.manager().isIdle() || role != (one == master ? SmRole.MASTER : SmRole.STANDBY)) {
                return false;
            }
        }
        return !master.reports.isEmpty() && master.reports.getLast().result() == SweepReport.Result.DONE;
    }

    /** Returns the LIDs of all end ports, and which LID they think the master has. */
    List<String> lids() {
        List<String> lids = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                lids.add(fabric.portName(port) + " " + info(port).getInt(PortInfo.LID));
            }
        }
        return lids;
    }

    PortInfo info(int port) {
        return subnet.node(fabric.nodeOf(port)).portInfo(fabric.portNumber(port));
    }

    /** Returns the LIDs that end ports think the master has. */
    List<Integer> masterLids() {
        List<Integer> lids = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndPort(port)) {
                lids.add(info(port).getInt(PortInfo.MASTER_SM_LID));
            }
        }
        return lids.stream().distinct().toList();
    }

    /** One of them. */
    final class One implements SmListener {
        final String host;
        final SimulatedPort port;
        final PausablePort process;
        final Master master;
        final List<SweepReport> reports = new ArrayList<>();
        final List<String> roles = new ArrayList<>();

        @Nullable
        SubnetSnapshot snapshot;

        boolean isDead;

        One(String host, SmSettings settings, TextStore lids) {
            this.host = host;
            this.port = subnet.attach(port(host));
            this.process = new PausablePort(port);
            this.master = new Master(process, RmppSettings.DEFAULT, settings, administration, lids, this);
        }

        int lid() {
            return info(Managers.this.port(host)).getInt(PortInfo.LID);
        }

        SmRole role() {
            return master.manager().role();
        }

        /** Dies without a word. */
        void kill() {
            isDead = true;
            port.close();
            master.stop();
        }

        @Override
        public void swept(SweepReport report) {
            reports.add(report);
        }

        @Override
        public void published(SubnetSnapshot now) {
            snapshot = now;
            published = now;
        }

        @Override
        public void trapped(Notice notice, int fromLid, String text) {}

        @Override
        public void failed(ErrnoException why) {
            throw why;
        }

        @Override
        public void role(SmRole role, String why) {
            roles.add(role.text());
        }
    }
}
