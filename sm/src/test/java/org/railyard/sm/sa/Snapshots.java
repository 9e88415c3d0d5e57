package org.railyard.sm.sa;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.ObjIntConsumer;
import org.railyard.fabric.format.LftsDump;
import org.railyard.fabric.format.LidSettings;
import org.railyard.fabric.format.NetFile;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proven.Computed;
import org.railyard.fabric.proven.EngineName;
import org.railyard.fabric.proven.ProvenRouting;
import org.railyard.fabric.proven.RoutingSettings;
import org.railyard.fabric.proven.Tables;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.route.MulticastGroup;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.RoutingEngine;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.fabric.torus.conf.TorusConfParser;
import org.railyard.mad.sim.SimulatedNode;
import org.railyard.mad.sim.SimulatedSubnet;
import org.railyard.mad.sim.SimulationSettings;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.smp.SmInfo;
import org.railyard.mad.smp.VlArbitrationTable;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.SubnetSnapshot;

/** Snapshots of tori as a sweep would leave them: fresh agents, tables of torus-2QoS. */
final class Snapshots {
    private static final int SM_PRIORITY = 8;
    private static final int ACT_COUNT = 0x223C;
    private static final int MTU_1024 = 3;
    private static final int MTU_2048 = 4;

    private Snapshots() {}

    static String golden(String name) {
        try (InputStream in = Objects.requireNonNull(Snapshots.class.getResourceAsStream("golden/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The torus of the captures, with the LIDs and forwarding tables that OpenSM gave. */
    static SubnetSnapshot golden() {
        Fabric cabled = NetFile.parse(golden("fabric.net")).fabric();
        Tables tables = tables(cabled, golden("fabric.conf"), 0, List.of());
        Routing own = tables.routing();
        Routing theirs = new Routing(
                own.engine(),
                LftsDump.parse(golden("opensm-lfts.dump"), tables.fabric()),
                own.sls(),
                own.slToVl(),
                own.multicast(),
                List.of());
        return snapshot(tables.fabric(), theirs, PartitionsConf.none(), (_, _) -> {});
    }

    static SubnetSnapshot torus(SampleTorus torus, int lmc, PartitionsConf partitions) {
        return torus(torus, lmc, partitions, List.of());
    }

    static SubnetSnapshot torus(SampleTorus torus, int lmc, PartitionsConf partitions, List<MulticastGroup> groups) {
        Tables tables = tables(torus.fabric(), torus.conf(1), lmc, groups);
        return snapshot(tables.fabric(), tables.routing(), partitions, (_, _) -> {});
    }

    /** The same, with what ports say of themselves changed, by port index. */
    static SubnetSnapshot torus(SampleTorus torus, ObjIntConsumer<PortInfo> change) {
        Tables tables = tables(torus.fabric(), torus.conf(1), 0, List.of());
        return snapshot(tables.fabric(), tables.routing(), PartitionsConf.none(), change);
    }

    /** What is cabled, with shortest paths; all paths have SL 0. */
    static SubnetSnapshot minHop(Fabric cabled, List<MulticastGroup> groups) {
        Tables tables = tables(cabled, EngineName.MIN_HOP.engine(null, false, List.of()), 0, groups);
        return snapshot(tables.fabric(), tables.routing(), PartitionsConf.none(), (_, _) -> {});
    }

    /** Two hosts and a router, whose second port is the one with a cable, at two switches; all paths have SL 0. */
    static SubnetSnapshot withRouter() {
        Fabric cabled = NetFile.parse("""
            Switch 4 "S-0"
            [1] "H-0"[1]
            [2] "R-0"[2]
            [3] "S-1"[3]

            Switch 4 "S-1"
            [1] "H-1"[1]
            [3] "S-0"[3]

            Ca 1 "H-0"
            [1] "S-0"[1]

            Ca 1 "H-1"
            [1] "S-1"[1]

            Rt 2 "R-0"
            [2] "S-0"[2]
            """).fabric();
        return minHop(cabled, List.of());
    }

    /** The same subnet without a host, whose link is down. */
    static SubnetSnapshot without(SubnetSnapshot all, int port) {
        Fabric fabric = all.fabric();
        int[] lids = new int[fabric.portCount()];
        int[] lmcs = new int[fabric.portCount()];
        for (int one = 0; one < lids.length; one++) {
            lids[one] = one == port ? 0 : fabric.lid(one);
        }
        return again(all, fabric.withLids(lids, lmcs)).build();
    }

    /** Returns what the subnet manager says of itself that made it. */
    static SmInfo manager(SubnetSnapshot of) {
        return SmInfo.TYPE
                .create()
                .set(SmInfo.GUID, of.fabric().portGuid(of.smPort()))
                .set(SmInfo.SM_KEY, 1)
                .set(SmInfo.ACT_COUNT, ACT_COUNT)
                .set(SmInfo.PRIORITY, SM_PRIORITY)
                .set(SmInfo.STATE, SmInfo.MASTER);
    }

    /** Begins a snapshot with all that another one has. */
    static SubnetSnapshot.Builder again(SubnetSnapshot of, Fabric fabric) {
        SubnetSnapshot.Builder builder = new SubnetSnapshot.Builder(of.sweep() + 1, 0, fabric, of.smPort());
        of.routing().ifPresent(builder::routing);
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int index = node;
            builder.node(node, of.nodeInfo(node));
            of.switchInfo(node).ifPresent(info -> builder.node(index, info));
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int index = port;
            builder.pKeys(port, of.pKeys(port));
            of.portInfo(port).ifPresent(info -> builder.port(index, info));
        }
        return builder;
    }

    /** The same subnet, where a switch sends packets to a LID out of another port. */
    static SubnetSnapshot rerouted(SubnetSnapshot of, int node, int lid, int out) {
        Routing own = of.routing().orElseThrow();
        byte[][] rows = new byte[of.fabric().switchCount()][of.fabric().maxLid() + 1];
        for (int each = 0; each < rows.length; each++) {
            own.forwarding().copyPorts(each, 0, rows[each]);
        }
        rows[node][lid] = (byte) out;
        Routing other = new Routing(
                own.engine(), new ForwardingTables(rows), own.sls(), own.slToVl(), own.multicast(), List.of());
        return again(of, of.fabric()).routing(other).build();
    }

    private static Tables tables(Fabric cabled, String conf, int lmc, List<MulticastGroup> groups) {
        RoutingEngine engine = EngineName.TORUS_2QOS.engine(TorusConfParser.parse(conf), false, List.of());
        return tables(cabled, engine, lmc, groups);
    }

    /** The subnet manager is at the first host. */
    private static Tables tables(Fabric cabled, RoutingEngine engine, int lmc, List<MulticastGroup> groups) {
        int smPort = cabled.portIndex(cabled.switchCount(), 1);
        RoutingSettings settings = RoutingSettings.of(engine).withLids(LidSettings.fresh(smPort, lmc));
        Computed computed = new ProvenRouting(settings).tables(cabled, groups);
        if (!(computed instanceof Tables tables)) {
            throw new IllegalStateException(computed.toString());
        }
        return tables;
    }

    private static SubnetSnapshot snapshot(
            Fabric fabric, Routing routing, PartitionsConf partitions, ObjIntConsumer<PortInfo> change) {
        int smPort = fabric.portIndex(fabric.switchCount(), 1);
        SimulatedSubnet subnet = new SimulatedSubnet(fabric, SimulationSettings.DEFAULT, new SplittableRandom(1));
        SubnetSnapshot.Builder snapshot = new SubnetSnapshot.Builder(1, 0, fabric, smPort).routing(routing);
        for (int index = 0; index < fabric.nodeCount(); index++) {
            SimulatedNode node = subnet.node(index);
            snapshot.node(index, node.nodeInfo());
            if (node.isSwitch()) {
                snapshot.node(index, node.switchInfo());
            }
            for (int number = node.isSwitch() ? 0 : 1; number <= node.lastPort(); number++) {
                port(snapshot, node, fabric, number, partitions, change);
            }
        }
        return snapshot.build();
    }

    /** As those of ibsim: port 0 has a smaller MTU. */
    private static void port(
            SubnetSnapshot.Builder snapshot,
            SimulatedNode node,
            Fabric fabric,
            int number,
            PartitionsConf partitions,
            ObjIntConsumer<PortInfo> change) {
        int port = fabric.portIndex(node.index(), number);
        int smPort = fabric.portIndex(fabric.switchCount(), 1);
        PortInfo said = node.portInfo(number)
                .set(PortInfo.LID, fabric.lid(port))
                .set(PortInfo.M_KEY, 0x1234)
                .set(PortInfo.MTU_CAP, number == 0 ? MTU_1024 : MTU_2048);
        change.accept(said, port);
        snapshot.port(port, said);
        if (fabric.isEndPort(port)) {
            snapshot.pKeys(port, partitions.keys(fabric.portGuid(smPort)).of(fabric, port));
        }
        VlArbitrationTable low = VlArbitrationTable.TYPE.create();
        for (int vl = 0; vl < 8; vl++) {
            low.set(VlArbitrationTable.VLS, vl, vl).set(VlArbitrationTable.WEIGHTS, vl, vl == 0 ? 0 : 4);
        }
        snapshot.vlArbitration(port, 1, low);
    }
}
