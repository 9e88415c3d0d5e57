package org.railyard.fabric.model;

import java.util.Arrays;
import java.util.BitSet;

/** The ports' columns; index = port index. The arrays are never changed after building. */
final class PortTable {
    final int[] node;
    final int[] cable;
    final long[] guid;
    final char[] lid;
    final byte[] lmc;
    final byte[] vlCap;
    final byte[] operVls;
    final byte[] width;
    final LinkSpeed[] speed;
    final LinkState[] state;

    PortTable(int ports) {
        node = new int[ports];
        cable = new int[ports];
        Arrays.fill(cable, Fabric.NONE);
        guid = new long[ports];
        lid = new char[ports];
        lmc = new byte[ports];
        vlCap = new byte[ports];
        operVls = new byte[ports];
        width = new byte[ports];
        speed = new LinkSpeed[ports];
        state = new LinkState[ports];
    }

    private PortTable(PortTable same, char[] lid, byte[] lmc, LinkState[] state) {
        node = same.node;
        cable = same.cable;
        guid = same.guid;
        this.lid = lid;
        this.lmc = lmc;
        vlCap = same.vlCap;
        operVls = same.operVls;
        width = same.width;
        speed = same.speed;
        this.state = state;
    }

    int count() {
        return node.length;
    }

    PortTable withLids(int[] newLid, int[] newLmc) {
        int ports = count();
        if (newLid.length != ports || newLmc.length != ports) {
            throw new IllegalArgumentException("one LID and one LMC for each of " + ports + " ports");
        }
        char[] lids = new char[ports];
        byte[] lmcs = new byte[ports];
        for (int port = 0; port < ports; port++) {
            LidRange.check(newLid[port], newLmc[port]);
            lids[port] = (char) newLid[port];
            lmcs[port] = (byte) newLmc[port];
        }
        return new PortTable(this, lids, lmcs, state);
    }

    PortTable withDown(BitSet down) {
        LinkState[] states = state.clone();
        down.stream().forEach(port -> states[port] = LinkState.DOWN);
        return new PortTable(this, lid, lmc, states);
    }
}
