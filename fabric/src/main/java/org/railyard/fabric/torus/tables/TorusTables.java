package org.railyard.fabric.torus.tables;

import java.util.Arrays;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.ForwardingTables;
import org.railyard.fabric.torus.grid.DimensionOrder;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.placement.Placement;

/** Turns next groups into linear forwarding tables, destinations spread over parallel cables (spec 30 §7). */
public final class TorusTables {
    private static final char NOWHERE = 0xFFFF;
    private static final byte NO_PATH = (byte) ForwardingTables.NO_PATH;

    private final Placement placement;
    private final EndPortOrder ends;
    private final char[] positionOfLid;

    private TorusTables(int maxLid, Placement placement, EndPortOrder ends) {
        this.placement = placement;
        this.ends = ends;
        this.positionOfLid = new char[maxLid + 1];
        Arrays.fill(positionOfLid, NOWHERE);
        for (int i = 0; i < ends.count(); i++) {
            Arrays.fill(positionOfLid, ends.lid[i], ends.lid[i] + (1 << ends.lmc[i]), (char) ends.position[i]);
        }
    }

    /** Returns the tables of all switches; those outside the torus know no way anywhere. */
    public static ForwardingTables of(Fabric fabric, Placement placement, DimensionOrder routing, EndPortOrder ends) {
        TorusTables tables = new TorusTables(fabric.maxLid(), placement, ends);
        byte[][] rows = new byte[fabric.switchCount()][];
        byte[] groups = new byte[placement.grid().shape().positions()];
        for (int at = 0; at < rows.length; at++) {
            rows[at] = new byte[fabric.maxLid() + 1];
            int position = placement.positionOf(at);
            if (position == Placement.NONE) {
                Arrays.fill(rows[at], NO_PATH);
                continue;
            }
            routing.row(position, groups);
            tables.fill(position, groups, rows[at]);
        }
        tables.deliver(rows);
        return new ForwardingTables(rows);
    }

    private void fill(int position, byte[] groups, byte[] row) {
        boolean parallel = false;
        byte[] single = new byte[TorusGroup.COUNT];
        for (int group = 0; group < TorusGroup.COUNT; group++) {
            int cables = placement.cables(position, group);
            parallel |= cables > 1;
            single[group] = cables == 0 ? NO_PATH : (byte) placement.port(position, group, 0);
        }
        if (parallel) {
            spread(position, groups, row);
            return;
        }
        for (int target = 0; target < groups.length; target++) {
            byte group = groups[target];
            groups[target] = group == TorusGroup.NONE || group == TorusGroup.END ? NO_PATH : single[group];
        }
        char[] positions = positionOfLid;
        for (int lid = 0; lid < row.length; lid++) {
            char target = positions[lid];
            row[lid] = target == NOWHERE ? NO_PATH : groups[target];
        }
    }

    /** Goes round the cables of each group, hosts and switches counted apart, one step for each destination port. */
    private void spread(int position, byte[] groups, byte[] row) {
        Arrays.fill(row, NO_PATH);
        int[] hosts = new int[TorusGroup.COUNT];
        int[] switches = new int[TorusGroup.COUNT];
        for (int i = 0; i < ends.count(); i++) {
            int group = groups[ends.position[i]];
            if (group == TorusGroup.NONE || group == TorusGroup.END) {
                continue;
            }
            int[] counter = ends.switchPort[i] == 0 ? switches : hosts;
            byte port = (byte) placement.port(position, group, counter[group]++ % placement.cables(position, group));
            Arrays.fill(row, ends.lid[i], ends.lid[i] + (1 << ends.lmc[i]), port);
        }
    }

    /** At its own switch a destination is behind its port. */
    private void deliver(byte[][] rows) {
        for (int i = 0; i < ends.count(); i++) {
            byte[] row = rows[placement.switchAt(ends.position[i])];
            Arrays.fill(row, ends.lid[i], ends.lid[i] + (1 << ends.lmc[i]), (byte) ends.switchPort[i]);
        }
    }
}
