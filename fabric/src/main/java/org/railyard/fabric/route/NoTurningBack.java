package org.railyard.fabric.route;

import org.railyard.fabric.model.Fabric;

/**
 * SL to VL tables by which switches drop packets that would go straight back to the switch that they came from, by the
 * same cable or by another one (spec 41 §2.2).
 *
 * <p>No route does that: a switch sends all packets to a LID to one port, so what turns back goes round between two
 * switches. But while routes change, a packet may meet the old entry at one switch and the new one at the next. One
 * that turns back holds a channel of one direction and waits for one of the other, and that alone is mostly what lets
 * old and new routes together close a credit loop. Where switches drop it, routes can change while packets flow; its
 * old way has mostly been cut anyway.
 *
 * <p>Immutable, if the tables that it is made of are.
 */
public final class NoTurningBack implements SlToVl {
    /** Every SL is dropped. */
    private static final long ALL_DROPPED = -1L;

    private final SlToVl engine;
    private final int[] first;

    /** By port index: the switch behind it, NONE if there is none. */
    private final int[] behind;

    /**
     * Makes them.
     *
     * @param fabric whose cables count
     * @param engine what the tables say otherwise
     */
    public NoTurningBack(Fabric fabric, SlToVl engine) {
        this.engine = engine;
        first = new int[fabric.switchCount()];
        for (int sw = 0; sw < first.length; sw++) {
            first[sw] = fabric.portIndex(sw, 0);
        }
        behind = new int[fabric.portCount()];
        for (int port = 0; port < behind.length; port++) {
            int peer = fabric.peer(port);
            boolean toSwitch = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
            behind[port] = toSwitch ? fabric.nodeOf(peer) : Fabric.NONE;
        }
    }

    /** Returns a routing with these tables in place of its own. */
    public static Routing in(Fabric fabric, Routing routing) {
        return new Routing(
                routing.engine(),
                routing.forwarding(),
                routing.sls(),
                new NoTurningBack(fabric, routing.slToVl()),
                routing.multicast(),
                routing.notes());
    }

    /** Returns what the tables say otherwise. */
    public SlToVl engine() {
        return engine;
    }

    /** Returns whether two ports of a switch lead to the same neighbouring switch. */
    public boolean turnsBack(int switchIndex, int in, int out) {
        int from = behind[first[switchIndex] + in];
        return from != Fabric.NONE && from == behind[first[switchIndex] + out];
    }

    @Override
    public long table(int switchIndex, int in, int out) {
        return turnsBack(switchIndex, in, out) ? ALL_DROPPED : engine.table(switchIndex, in, out);
    }

    @Override
    public long endTable(int endPort) {
        return engine.endTable(endPort);
    }
}
