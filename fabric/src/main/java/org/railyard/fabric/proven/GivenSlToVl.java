package org.railyard.fabric.proven;

import java.util.OptionalLong;
import java.util.stream.Stream;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.model.NodeType;
import org.railyard.fabric.model.VlCodes;
import org.railyard.fabric.route.Routing;
import org.railyard.fabric.route.SlToVl;
import org.railyard.fabric.torus.qos.QosSettings;

/**
 * SL to VL as settings give it, by the kind of the port that sends, within the VLs that its link has (spec 41 §5). What
 * is not told is the engine's.
 */
final class GivenSlToVl implements SlToVl {
    private static final int SLS = 16;

    private final Fabric fabric;
    private final SlToVl engine;
    private final boolean[] isTold;

    /** By port that sends, where it is told. */
    private final long[] tables;

    private GivenSlToVl(Fabric fabric, SlToVl engine, QosSettings qos, int maxOpVls) {
        this.fabric = fabric;
        this.engine = engine;
        isTold = new boolean[fabric.portCount()];
        tables = new long[isTold.length];
        for (int port = 0; port < isTold.length; port++) {
            OptionalLong told = of(qos, fabric.type(fabric.nodeOf(port))).slToVl();
            isTold[port] = told.isPresent() && fabric.portNumber(port) > 0;
            tables[port] = isTold[port] ? within(told.orElseThrow(), dataVls(fabric, port, maxOpVls)) : 0;
        }
    }

    private static QosSettings.Ports of(QosSettings qos, NodeType type) {
        return switch (type) {
            case SWITCH -> qos.switches();
            case CA -> qos.cas();
            case ROUTER -> qos.routers();
        };
    }

    /** Returns how many data VLs the link of a port has. */
    private static int dataVls(Fabric fabric, int port, int maxOpVls) {
        int peer = fabric.peer(port);
        int code = Math.min(maxOpVls, fabric.operVls(port));
        return VlCodes.count(peer == Fabric.NONE ? code : Math.min(code, fabric.operVls(peer)));
    }

    /** Returns a table with as many VLs; what is dropped stays so. */
    private static long within(long table, int dataVls) {
        int[] vls = new int[SLS];
        for (int sl = 0; sl < SLS; sl++) {
            int vl = SlToVl.vl(table, sl);
            vls[sl] = vl == DROP ? DROP : vl % dataVls;
        }
        return SlToVl.pack(vls);
    }

    /** Returns a routing with the tables of settings; the same if these tell of none. */
    static Routing in(Fabric fabric, Routing routing, QosSettings qos, int maxOpVls) {
        boolean any = Stream.of(NodeType.values())
                .anyMatch(type -> of(qos, type).slToVl().isPresent());
        return any
                ? new Routing(
                        routing.engine(),
                        routing.forwarding(),
                        routing.sls(),
                        new GivenSlToVl(fabric, routing.slToVl(), qos, maxOpVls),
                        routing.multicast(),
                        routing.notes())
                : routing;
    }

    @Override
    public long table(int switchIndex, int in, int out) {
        int port = fabric.portIndex(switchIndex, out);
        return isTold[port] ? tables[port] : engine.table(switchIndex, in, out);
    }

    @Override
    public long endTable(int endPort) {
        return isTold[endPort] ? tables[endPort] : engine.endTable(endPort);
    }
}
